import { runtimeConfig } from '../../config/runtime-config.ts'
import { useText } from '../../locales/text.ts'
import classes from './SiteLinks.module.css'

/** The operator's own pages, those that there are: help of a person, whether all works, terms, privacy. */
export function SiteLinks() {
  const t = useText()
  const links = siteLinks()
  if (links.length === 0) return null
  return (
    <ul className={classes.links}>
      {links.map(({ name, href }) => (
        <li key={name}>
          <a {...leaving(href)}>{t(`links.${name}`)}</a>
        </li>
      ))}
    </ul>
  )
}

/** A page of its own opens beside this one; the mail program stands beside it anyway. */
export function leaving(href: string) {
  return { href, ...(!href.startsWith('mailto:') && { target: '_blank', rel: 'noopener' }) }
}

const names = ['support', 'status', 'terms', 'privacy'] as const

export function siteLinks(): { name: (typeof names)[number]; href: string }[] {
  const { links } = runtimeConfig()
  return names.flatMap((name) => {
    const href = links[name]
    return href === undefined ? [] : [{ name, href }]
  })
}
