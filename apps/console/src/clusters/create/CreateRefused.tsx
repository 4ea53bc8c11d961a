import { createRefusals } from '@atoll/texts/create-refusals'
import { fillText } from '@atoll/texts/fill-text'
import { EmptyState, Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconArrowsSplit2, IconAt } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { runtimeConfig } from '../../config/runtime-config.ts'
import { useSurroundings } from '../../kit/browser/use-surroundings.ts'
import { sentenceGap } from '../../locales/sentence-gap.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './CreateRefused.module.css'
import type { CreateRefusal } from './create-refusal.ts'

interface CreateRefusedProps {
  reason: CreateRefusal
  /** All that a page shows, all that an empty list shows, or a notice above what there is. */
  shape: 'page' | 'empty' | 'notice'
  /** Reads again, once an ID was bound. */
  onCheck: () => void
}

/** Why nothing can be created, in the catalogue's words, and what helps (spec §6). */
export function CreateRefused({ reason, shape, onCheck }: CreateRefusedProps) {
  const t = useText()
  const locale = useLocale()
  const { product, wallet, walletUrl } = runtimeConfig()
  const surroundings = useSurroundings()
  const isPage = shape === 'page'
  const isNotice = shape === 'notice'
  if (reason === 'notPermitted') {
    const title = t('refused.title')
    if (isNotice) return <Notice title={title}>{t('refused.help')}</Notice>
    const home = isPage && (
      <Button size="lg" renderRoot={(props) => <Link {...props} to={surroundings.home} />}>
        {t('refused.backHome')}
      </Button>
    )
    return (
      <EmptyState page={isPage} tall title={title} actions={home}>
        {fillText(createRefusals[locale].createNotPermitted, { product })}
        {sentenceGap(locale)}
        {t('refused.help')}
      </EmptyState>
    )
  }
  const open = (
    <Button
      component="a"
      href={walletUrl}
      target="_blank"
      rel="noopener"
      variant="filled"
      size={isNotice ? 'xs' : 'lg'}
    >
      {t('refused.bindWallet')}
    </Button>
  )
  const text = fillText(createRefusals[locale].idNotBound, { product, wallet })
  // The wallet's web view has no page of domains.
  const own = surroundings.home === '/' && (
    <Button
      size={isNotice ? 'xs' : 'lg'}
      variant={isNotice ? 'default' : 'subtle'}
      classNames={{ root: classes.own ?? '', label: classes.words ?? '' }}
      renderRoot={(props) => <Link {...props} to="/domains" />}
    >
      {t('refused.ownDomain')}
    </Button>
  )
  if (isNotice) {
    return (
      <Notice
        title={text}
        action={
          <div className="buttons">
            {open}
            {own}
          </div>
        }
      >
        {t('refused.oneOrOther')}
      </Notice>
    )
  }
  return (
    <EmptyState
      page={isPage}
      tall
      title={t('refused.bindTitle')}
      actions={
        <>
          {open}
          <Button size="lg" variant="subtle" onClick={onCheck}>
            {t('refused.bindCheck')}
          </Button>
          {own}
        </>
      }
      facts={[
        { icon: <IconAt size={16} stroke={1.6} aria-hidden="true" />, text: t('refused.bindFact') },
        { icon: <IconArrowsSplit2 size={16} stroke={1.6} aria-hidden="true" />, text: t('refused.oneOrOther') },
      ]}
    >
      {text}
    </EmptyState>
  )
}
