import type { Status } from '@atoll/contract/personal-server'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useText } from '../i18n/text.ts'
import classes from './ActivationDone.module.css'
import { Cover } from './Cover.tsx'

interface ActivationDoneProps {
  status: Status
}

/** Activated, and signed in already. */
export function ActivationDone({ status }: ActivationDoneProps) {
  const t = useText()
  const navigate = useNavigate()
  const name = status.clusterName ?? t('app.yours', { product: status.product })
  return (
    <Cover
      name={name}
      heading={t(status.resetting ? 'wizard.resetDone' : 'wizard.doneTitle', { name })}
      lead={t('wizard.doneLead', { host: location.host })}
    >
      <svg className={classes.check} width="72" height="72" viewBox="0 0 88 88" fill="none" aria-hidden="true">
        <circle cx="44" cy="44" r="42" className={classes.ring} />
        <path d="M28 45l11 11 21-24" className={classes.tick} />
      </svg>
      <Button size="lg" variant="filled" onClick={() => void navigate({ to: '/' })}>
        {t('wizard.openDrive')}
      </Button>
    </Cover>
  )
}
