import { Contours, Mark } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { runtimeConfig } from '../../config/runtime-config.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useText } from '../../locales/text.ts'
import classes from './NotFoundPage.module.css'

/** No page at this address (spec §2, catch-all). */
export function NotFoundPage() {
  const t = useText()
  usePageTitle(t('notFound.title'))
  return (
    <div className={classes.page}>
      <Contours shape="islet" className={classes.contours} />
      <header className={classes.brand}>
        <Mark size={24} />
        {runtimeConfig().product}
      </header>
      <main className={classes.words}>
        <p className={classes.code}>404</p>
        <h1 className={classes.title}>{t('notFound.title')}</h1>
        <p className={classes.text}>{t('notFound.text')}</p>
        <Button component={Link} to="/" variant="filled">
          {t('notFound.home')}
        </Button>
      </main>
    </div>
  )
}
