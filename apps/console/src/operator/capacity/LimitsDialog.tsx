import { type CapacityRegion, regionLimits, regionLimitsPlan } from '@atoll/contract/staff'
import { TextInput } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '../../data/use-call.ts'
import { useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import classes from './Capacity.module.css'

const resources = ['cpu', 'memory', 'disk'] as const

/** Over-commit factors of a region, in the applied catalogue: the difference is shown, and exactly that is applied. */
export function LimitsDialog({ region, onClose }: { region: CapacityRegion; onClose: () => void }) {
  const t = useText()
  const { cloudName, regionId, title, factors } = region
  const [typed, setTyped] = useState(() => ({
    cpu: String(factors.cpu),
    memory: String(factors.memory),
    disk: String(factors.disk),
  }))
  const asked = {
    cloudName,
    regionId,
    cpu: Number(typed.cpu),
    memory: Number(typed.memory),
    disk: Number(typed.disk),
  }
  const plan = useCall(regionLimitsPlan, asked, { placeholderData: keepPreviousData })
  // The difference of what was typed before is not approved: without `from` nothing is asked of the wallet.
  const shown = plan.isPlaceholderData ? undefined : plan.data
  const said = `${cloudName}/${regionId}:${resources.map((each) => `${each}=${asked[each]}`).join(',')}`
  return (
    <ActDialog
      onClose={onClose}
      title={t('operator.actOn', { act: t('capacity.limits'), id: title })}
      lead={t('capacity.limitsText')}
      act="limits"
      call={regionLimits}
      fields={{ ...asked, from: shown?.from }}
      asks={{ object: `region ${said}`, name: title }}
    >
      {(problems) => (
        <>
          {resources.map((each) => (
            <TextInput
              key={each}
              label={t(`capacity.${each}`)}
              inputMode="decimal"
              value={typed[each]}
              error={problems[each]}
              onChange={(event) => setTyped({ ...typed, [each]: event.currentTarget.value })}
            />
          ))}
          <pre className={classes.difference} aria-busy={shown === undefined && plan.error === null}>
            {plan.error ? plan.error.message : plan.data && (plan.data.difference || t('system.noDifference'))}
          </pre>
        </>
      )}
    </ActDialog>
  )
}
