import { Button, type ButtonProps } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIsNarrow } from '../../kit/browser/use-is-narrow.ts'
import { useText } from '../../locales/text.ts'
import type { Account } from '../../session/account.ts'
import { useAccountName } from '../../session/use-account-name.ts'
import { AttentionCount } from '../overview/AttentionCount.tsx'
import { endLook } from '../parts/look-as.ts'
import classes from './OperatorFrame.module.css'
import { operatorPlaces, sectionOf } from './places.ts'

/** The parts of the frame around every page that only staff see. */

/** Says on every page of the area whose acts are recorded, and leads out of it. */
export function OperatorBar({ account }: { account: Account }) {
  const t = useText()
  const nameOf = useAccountName()
  const isNarrow = useIsNarrow()
  const role = t(account.staff === 'support' ? 'operator.roleSupport' : 'operator.roleOperator')
  return (
    <Bar text={isNarrow ? t('operator.recorded') : t('operator.who', { id: nameOf(account), role })}>
      {(button) => <Button {...button} renderRoot={(props) => <Link {...props} to="/" />} />}
    </Bar>
  )
}

/** Says on every page that a staff member sees as a customer that it is read-only, and leads back. */
export function LookBar({ account }: { account: Account }) {
  const t = useText()
  const nameOf = useAccountName()
  const isNarrow = useIsNarrow()
  const { look } = account
  return (
    <Bar text={isNarrow ? t('operator.looking') : t('operator.lookingAs', { id: nameOf(account) })}>
      {(button) => <Button {...button} onClick={() => look && endLook(look)} />}
    </Bar>
  )
}

function Bar({ text, children }: { text: string; children: (leave: ButtonProps & { children: string }) => ReactNode }) {
  const t = useText()
  return (
    <section className={classes.bar} aria-label={t('operator.area')}>
      <IconShieldLock size={16} stroke={1.6} aria-hidden="true" />
      <b>{t('operator.area')}</b>
      <span className={classes.who}>{text}</span>
      {children({
        size: 'xs',
        variant: 'transparent',
        className: classes.leave ?? '',
        children: t('operator.leave'),
      })}
    </section>
  )
}

function usePlaces() {
  const { section } = useParams({ strict: false })
  const open = section === undefined ? undefined : sectionOf(section)
  return operatorPlaces.map((place) => ({ ...place, isOpen: place.section === open }))
}

const area = '/operator/{-$section}/{-$object}'

/** The area's places in the sidebar; `item` and `title` are the sidebar's own classes. */
export function OperatorNav({ item, title, count }: { item: string; title: string; count: string }) {
  const t = useText()
  return (
    <>
      <p className={title}>{t('operator.group')}</p>
      <PlaceLinks item={item} iconSize={18} stroke={1.6} count={count} />
    </>
  )
}

/** The same on a phone, in place of the customer's. */
export function OperatorBottomBar({ bar, item }: { bar: string; item: string }) {
  const t = useText()
  return (
    <nav className={`${bar} ${classes.scrolls}`} aria-label={t('operator.area')}>
      <PlaceLinks item={item} iconSize={22} stroke={1.8} />
    </nav>
  )
}

interface PlaceLinksProps {
  item: string
  iconSize: number
  stroke: number
  /** The class of a count beside a place; left out, none is shown. */
  count?: string
}

function PlaceLinks({ item, iconSize, stroke, count }: PlaceLinksProps) {
  const t = useText()
  return usePlaces().map(({ section, label, icon: Icon, isOpen }) => (
    <Link
      key={section}
      to={area}
      params={{ section, object: undefined }}
      className={item}
      activeOptions={{ exact: true, includeSearch: false }}
      data-within={isOpen || undefined}
    >
      <Icon size={iconSize} stroke={stroke} aria-hidden="true" />
      {t(label)}
      {section === 'overview' && count !== undefined && <AttentionCount className={count} />}
    </Link>
  ))
}
