import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import { useInit } from '../../../data/home-queries.ts'
import { sentenceGap } from '../../../locales/sentence-gap.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import classes from './PastDueNotice.module.css'

/** That no email is linked, on every page, what that means, and the way to link one. */
export function EmailNotice() {
  const t = useText()
  const locale = useLocale()
  const isAtProfile = useMatchRoute()({ to: '/profile' }) !== false
  if (useInit().data?.user.email !== null) return null
  return (
    <aside className={classes.strip} data-kind="NORMAL" aria-label={t('money.emailMissing')}>
      <IconMail size={18} stroke={1.6} aria-hidden="true" />
      <p className={classes.words}>
        <b>{t('money.emailMissing')}</b>
        {sentenceGap(locale)}
        {t('money.emailMissingHelp')}
      </p>
      {!isAtProfile && (
        <Button size="xs" renderRoot={(props) => <Link {...props} to="/profile" />}>
          {t('money.emailLink')}
        </Button>
      )}
    </aside>
  )
}
