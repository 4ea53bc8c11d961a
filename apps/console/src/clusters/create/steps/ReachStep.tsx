import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChoiceCard } from '../../../kit/form/ChoiceCard.tsx'
import { Tag } from '../../../kit/page/Tag.tsx'
import { useText } from '../../../locales/text.ts'
import { resolveChoice } from '../../offers/create-choice.ts'
import classes from '../../offers/Offers.module.css'
import wizard from '../CreateWizard.module.css'
import { type ReachField, reachProblems } from '../self-host-order.ts'
import type { StepProps } from '../step-props.ts'
import { useCreateSearch } from '../use-create-search.ts'
import reach from './ReachStep.module.css'
import { StepFrame } from './StepFrame.tsx'

/** How visitors reach a self-hosted cluster: through the relay, through a Cloudflare tunnel, or directly. */
export function ReachStep({ init, tunnelToken, onTunnelToken }: StepProps) {
  const t = useText()
  const { search, choose } = useCreateSearch()
  const [left, setLeft] = useState<ReadonlySet<ReachField>>(new Set())
  const proxy = search.proxy ?? 'frp'
  const problems = reachProblems(search, tunnelToken)
  const leave = (field: ReachField) => () => setLeft((before) => new Set(before).add(field))
  // Checked once the field was left, then live.
  const isWrong = (field: ReachField) => left.has(field) && problems.includes(field)
  const hostField = (field: 'hostname' | 'address') => (
    <TextInput
      label={t(`create.${field}`)}
      description={isWrong(field) ? undefined : t(`create.${field}Help`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      defaultValue={search.host ?? ''}
      autoCapitalize="off"
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget: { value } }) =>
        choose({ host: (field === 'hostname' ? value.toLowerCase() : value).trim() || undefined })
      }
      onBlur={leave(field)}
      error={isWrong(field) ? t(`create.${field}Invalid`) : undefined}
    />
  )
  return (
    <StepFrame
      step="reach"
      title={t('create.reachTitle')}
      lead={t('create.reachLead')}
      init={init}
      choice={resolveChoice(search, init.instanceInfo)}
      blocked={problems.length > 0 ? t('create.reachBlocked') : undefined}
    >
      <div className={wizard.stack} role="radiogroup" aria-label={t('create.stepReach')}>
        <ChoiceCard
          group="proxy"
          value="frp"
          mark="right"
          chosen={proxy === 'frp'}
          onChoose={() => choose({ proxy: undefined, host: undefined })}
        >
          <span className={classes.head}>
            <span className={classes.title}>{t('create.relay')}</span>
            <Tag tone="accent">{t('create.recommended')}</Tag>
          </span>
          <span className={classes.text}>{t('create.relayText')}</span>
        </ChoiceCard>
        <ChoiceCard
          group="proxy"
          value="cloudflare"
          mark="right"
          chosen={proxy === 'cloudflare'}
          onChoose={() => choose({ proxy: 'cloudflare', host: undefined })}
        >
          <span className={classes.title}>{t('create.cloudflare')}</span>
          <span className={classes.text}>{t('create.cloudflareText')}</span>
        </ChoiceCard>
        {proxy === 'cloudflare' && (
          <div className={reach.fields}>
            <PasswordInput
              label={t('create.tunnelToken')}
              description={isWrong('tunnelToken') ? undefined : t('create.tunnelTokenHelp')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={tunnelToken}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t('access.show') }}
              onChange={(event) => onTunnelToken(event.currentTarget.value.trim())}
              onBlur={leave('tunnelToken')}
              error={isWrong('tunnelToken') ? t('create.tunnelTokenInvalid') : undefined}
            />
            {hostField('hostname')}
          </div>
        )}
        <ChoiceCard
          group="proxy"
          value="none"
          mark="right"
          chosen={proxy === 'none'}
          onChoose={() => choose({ proxy: 'none', host: undefined })}
        >
          <span className={classes.title}>{t('create.direct')}</span>
          <span className={classes.text}>{t('create.directText')}</span>
        </ChoiceCard>
        {proxy === 'none' && <div className={reach.fields}>{hostField('address')}</div>}
      </div>
    </StepFrame>
  )
}
