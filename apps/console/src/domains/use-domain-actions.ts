/** Actions on a domain, as data: the page's buttons and the list's menu are made of them. */
import { type Domain, domainCheck, domainDelete, domainMethod, domainRestart } from '@atoll/contract/domains'
import { IconArrowsExchange, IconRefresh, IconRestore, IconTrash, IconUserShare } from '@tabler/icons-react'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { useLookRefusal } from '../kit/browser/use-change-refusal.ts'
import { confirm } from '../kit/confirm/confirm.ts'
import type { Action } from '../kit/menu/action.ts'
import { useText } from '../locales/text.ts'

interface DomainActionsOptions {
  /** Opens what asks before an apex is delegated; without it that way is offered on the domain's page alone. */
  onDelegateApex?: (() => void) | undefined
  /** Opens what hands the domain on; that is offered on its page alone. */
  onTransfer?: (() => void) | undefined
  /** After it was removed. */
  onGone?: (() => void) | undefined
}

export function useDomainActions(
  domain: Domain,
  { onDelegateApex, onTransfer, onGone }: DomainActionsOptions = {},
): Action[] {
  const t = useText()
  const refused = useLookRefusal()
  const check = useCallMutation(domainCheck, { toast: true })
  const { domain: name, shown, status, method, isApex, actions } = domain
  const can = (action: Domain['actions'][number]) => actions.includes(action)
  const isLinked = status === 'BIND' || status === 'ALLOCATED'
  const other = method === 'ns' ? 'cname' : 'ns'
  const keep = t('domains.keep')

  function switchMethod() {
    if (other === 'ns' && isApex) return onDelegateApex?.()
    confirm({
      title: t(other === 'ns' ? 'domains.toServersTitle' : 'domains.toCnameTitle', { name: shown }),
      lost: [
        t(other === 'ns' ? 'domains.toServersText' : 'domains.toCnameText', { name: shown }),
        ...(isLinked ? [t('domains.switchLinked')] : []),
      ],
      keep,
      act: t(other === 'ns' ? 'domains.useServers' : 'domains.useCname'),
      run: { call: domainMethod, body: { domain: name, method: other } },
    })
  }
  function startOver() {
    const keepsProof = isApex && method === 'ns'
    confirm({
      title: t('domains.restartTitle', { name: shown }),
      lost: [t(keepsProof ? 'domains.restartApexText' : 'domains.restartText')],
      keep,
      act: t('domains.restart'),
      run: { call: domainRestart, body: { domain: name } },
    })
  }
  function remove() {
    confirm({
      title: t('domains.removeTitle', { name: shown }),
      lost: [
        isLinked ? t('domains.removeLinked', { name: shown }) : t('domains.removeText'),
        // Our own servers hide the record that a new claim needs.
        ...(isApex && method === 'ns' && status !== 'WAIT_TXT' ? [t('domains.removeApex', { name: shown })] : []),
      ],
      ...(isLinked && { typed: name }),
      keep,
      act: t('domains.remove'),
      danger: true,
      run: {
        call: domainDelete,
        body: { domain: name, ...(isLinked && { confirm: name }) },
        ...(onGone && { onSuccess: onGone }),
      },
    })
  }
  const all: (Action | false)[] = [
    can('check') && {
      key: 'check',
      label: t('domains.checkNow'),
      icon: IconRefresh,
      place: 'menu',
      busy: check.isPending,
      onSelect: () => check.mutate({ domain: name }),
    },
    can('method') &&
      (!isApex || other === 'cname' || onDelegateApex !== undefined) && {
        key: 'method',
        icon: IconArrowsExchange,
        place: 'main',
        onSelect: switchMethod,
        label: t(other === 'ns' ? 'domains.useServers' : 'domains.useCname'),
      },
    can('restart') && {
      key: 'restart',
      label: t('domains.restart'),
      icon: IconRestore,
      place: 'main',
      onSelect: startOver,
    },
    can('transfer') &&
      onTransfer !== undefined && {
        key: 'transfer',
        icon: IconUserShare,
        place: 'main',
        onSelect: onTransfer,
        label: t('domains.transfer.act'),
      },
    can('delete') && {
      key: 'delete',
      icon: IconTrash,
      danger: true,
      place: 'main',
      onSelect: remove,
      label: t(isLinked ? 'domains.giveUp' : 'domains.remove'),
    },
  ]
  return all.filter((action) => action !== false).map((action) => ({ ...action, disabledReason: refused }))
}
