import { Mark } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { runtimeConfig } from '../config/runtime-config.ts'
import { AppearanceButton } from '../kit/menu/AppearanceButton.tsx'
import { LanguageSwitch } from '../kit/menu/LanguageSwitch.tsx'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { SiteLinks } from '../kit/site/SiteLinks.tsx'
import { useText } from '../locales/text.ts'
import classes from './HelpPage.module.css'
import type { NamedHelp } from './help-pages.ts'
import type { Block, Inline } from './read-help.ts'
import { useHelp } from './use-help.ts'

/** The public help: a list of its pages beside one of them. */
export function HelpPage({ name }: { name: string | undefined }) {
  const t = useText()
  const { data, error, refetch } = useHelp()
  const { product } = runtimeConfig()
  const page = data?.find((each) => each.name === name) ?? (name === undefined ? data?.[0] : undefined)
  usePageTitle(page?.title ?? t('help.title'))
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Link to="/" className={classes.brand}>
          <Mark size={24} />
          {product}
        </Link>
        <div className={classes.switches}>
          <LanguageSwitch />
          <AppearanceButton />
        </div>
      </header>
      <div className={classes.columns}>
        <nav aria-label={t('help.title')} className={classes.list}>
          {data?.map(({ name: each, title }) => (
            <Link
              key={each}
              to="/help/{-$page}"
              params={{ page: each }}
              aria-current={each === page?.name ? 'page' : undefined}
            >
              {title}
            </Link>
          ))}
        </nav>
        <main className={classes.main}>
          {page ? (
            <Article page={page} />
          ) : data ? (
            <>
              <h1 tabIndex={-1}>{t('help.missing')}</h1>
              <p>{t('help.missingText')}</p>
            </>
          ) : error ? (
            <LoadFailure title={t('help.error')} page={t('help.title')} error={error} onRetry={refetch} />
          ) : (
            <div role="status" aria-label={t('common.loading')}>
              <h1 tabIndex={-1}>{t('help.title')}</h1>
              <Skeleton height={180} radius={10} />
            </div>
          )}
        </main>
      </div>
      <footer className={classes.foot}>
        <SiteLinks />
      </footer>
    </div>
  )
}

function Article({ page }: { page: NamedHelp }) {
  return (
    <article>
      <h1 tabIndex={-1}>{page.title}</h1>
      {page.blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes
        <Part key={at} block={block} />
      ))}
    </article>
  )
}

function Part({ block }: { block: Block }) {
  if (block.kind === 'heading') return <h2 id={block.id}>{block.text}</h2>
  if (block.kind === 'paragraph')
    return (
      <p>
        <Line inlines={block.inlines} />
      </p>
    )
  const items = block.items.map((inlines, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes
    <li key={at}>
      <Line inlines={inlines} />
    </li>
  ))
  return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
}

function Line({ inlines }: { inlines: Inline[] }) {
  return inlines.map((inline, at) => {
    const { text } = inline
    // A page never changes.
    const key = `${at} ${text}`
    if (inline.kind === 'link')
      return (
        <Link key={key} to={inline.to}>
          {text}
        </Link>
      )
    if (inline.kind === 'code') return <code key={key}>{text}</code>
    if (inline.kind === 'strong') return <b key={key}>{text}</b>
    return inline.kind === 'em' ? <i key={key}>{text}</i> : <span key={key}>{text}</span>
  })
}
