import type { Resource } from '@atoll/contract/clusters'
import { Button } from '@mantine/core'
import { useText } from '../../../locales/text.ts'
import { useClusterDialogs } from '../../actions/cluster-dialogs-context.ts'
import classes from '../CreateWizard.module.css'

/** The way out of an order that is not paid. */
export function OrderCancel({ cluster }: { cluster: Resource }) {
  const t = useText()
  const dialogs = useClusterDialogs()
  return (
    <div className={classes.back}>
      <Button variant="subtle" onClick={() => dialogs.ask('cancelUnpaid', cluster)}>
        {t('action.cancelUnpaid')}
      </Button>
    </div>
  )
}
