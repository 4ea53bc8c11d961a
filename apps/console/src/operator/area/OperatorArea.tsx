import { useParams } from '@tanstack/react-router'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { useText } from '../../locales/text.ts'
import { StaffPage } from '../staff/StaffPage.tsx'
import { sectionOf } from './places.ts'

/** The page of the area that the address names. */
export function OperatorArea() {
  const t = useText()
  const section = sectionOf(useParams({ strict: false }).section)
  if (section === 'staff') return <StaffPage />
  return <ObjectGone title={t('operator.noSection')}>{t('operator.noSectionText')}</ObjectGone>
}
