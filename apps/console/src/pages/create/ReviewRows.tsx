import type { CreateChoice } from '../../components/offers/create-choice.ts'
import { useHardwareWords } from '../../components/offers/use-hardware-words.ts'
import { useText } from '../../i18n/text.ts'
import type { CreateStep } from './create-search.ts'
import { ReviewList } from './ReviewList.tsx'

interface ReviewRowsProps {
  choice: CreateChoice
  owner: string
}

/** What was chosen for a Cloud cluster. */
export function ReviewRows({ choice: { cloud, region, offer, version }, owner }: ReviewRowsProps) {
  const t = useText()
  const hardwareWords = useHardwareWords()
  const hardware = offer && `${offer.offering.title} · ${hardwareWords(offer.offering)}`
  const rows: { title: string; value: string; step?: CreateStep }[] = [
    { title: t('create.rowFlavour'), value: t('create.cloud'), step: 'flavour' },
    { title: t('create.rowHardware'), value: hardware ?? '', step: 'hardware' },
    {
      title: t('create.rowRegion'),
      value: [cloud?.title, region?.title].filter(Boolean).join(' · '),
      step: 'hardware',
    },
    { title: t('create.rowVersion'), value: version?.title ?? '', step: 'version' },
    { title: t('create.rowOwner'), value: owner },
  ]
  return <ReviewList rows={rows} />
}
