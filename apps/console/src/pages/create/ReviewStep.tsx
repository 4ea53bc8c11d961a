import { isDisplayableName } from '@atoll/contract'
import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { useClusters } from '../../api/use-clusters.ts'
import { FailureNotice } from '../../components/FailureNotice.tsx'
import { useText } from '../../i18n/text.ts'
import type { StepProps } from './CreateWizard.tsx'
import { nameProblem, suggestName } from './cluster-name.ts'
import { resolveChoice } from './create-choice.ts'
import classes from './Offers.module.css'
import { ReviewRows } from './ReviewRows.tsx'
import { StepFrame } from './StepFrame.tsx'
import { useCreateCluster } from './use-create-cluster.ts'
import { useCreateSearch } from './use-create-search.ts'

/** The name, everything that was chosen, and the button that creates it. */
export function ReviewStep({ init, userid }: StepProps) {
  const t = useText()
  const navigate = useNavigate()
  const formId = useId()
  const { search, choose } = useCreateSearch()
  const taken = (useClusters(userid).clusters ?? []).map(({ name }) => name)
  const [name, setName] = useState(() => search.name ?? suggestName(taken))
  const [checked, setChecked] = useState(false)
  const create = useCreateCluster(userid)
  const choice = resolveChoice(search, init.instanceInfo)
  const { cloud, region, offer, version } = choice
  // Between the answer and the page that follows, its own name is already in the list.
  const problem = create.isPending || create.isSuccess ? undefined : nameProblem(name, taken)

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (problem || create.isPending || !cloud || !region || !offer || !version) return
    const order = {
      clusterType: 'Cloud' as const,
      cloudName: cloud.cloudName,
      regionId: region.regionId,
      offering: offer.offering.name,
      version: version.version,
      name: name.trim(),
    }
    create.mutate(order, { onSuccess: () => void navigate({ to: '/' }) })
  }

  const shownProblem = checked && problem
  return (
    <StepFrame
      step="review"
      title={t('create.reviewTitle')}
      lead={t('create.reviewLead')}
      init={init}
      choice={choice}
      action={
        <Button type="submit" form={formId} variant="filled" size="lg" fullWidth loading={create.isPending}>
          {t('create.do', { name: problem ? '' : name.trim() })}
        </Button>
      }
    >
      <form id={formId} onSubmit={submit}>
        <FailureNotice error={create.error} title={t('create.failedTitle')} className={classes.failure} />
        <TextInput
          className={classes.name ?? ''}
          label={t('create.name')}
          value={name}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => {
            setChecked(true)
            choose({ name: name.trim() })
          }}
          description={shownProblem ? undefined : t('create.nameHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={
            shownProblem
              ? t(shownProblem === 'taken' ? 'create.nameTaken' : 'create.nameInvalid', { name: name.trim() })
              : undefined
          }
        />
        <ReviewRows
          choice={choice}
          owner={isDisplayableName(init.user.terminusName) ? init.user.terminusName : init.user.userid}
        />
      </form>
    </StepFrame>
  )
}
