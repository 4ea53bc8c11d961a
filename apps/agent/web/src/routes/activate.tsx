import type { ActivationBegun } from '@atoll/contract/personal-server'
import { createFileRoute } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { beginActivation } from '../api/server.ts'
import { ActivationDone } from '../components/ActivationDone.tsx'
import { ApproveStep } from '../components/ApproveStep.tsx'
import { NewPasswordStep } from '../components/NewPasswordStep.tsx'
import { OneTimePasswordStep } from '../components/OneTimePasswordStep.tsx'
import { useTitle } from '../components/use-title.ts'
import { carriedPassword } from '../one-time-password.ts'
import { requirePlace } from '../server-state.ts'

export const Route = createFileRoute('/activate')({
  loader: () => requirePlace('activate'),
  component: Activate,
})

type Step =
  | { kind: 'password' }
  | { kind: 'approve'; begun: ActivationBegun }
  | { kind: 'new'; ticket: string }
  | { kind: 'done' }

/** The wizard: one-time password, the owner's signature, a new password. */
function Activate() {
  const { status } = Route.useLoaderData()
  const [step, setStep] = useState<Step>({ kind: 'password' })
  // Kept to show a fresh code when one runs out; a ref, since typing it draws nothing.
  const oneTimePassword = useRef(carriedPassword())
  useTitle(status)
  const begin = async (password: string) => {
    const begun = await beginActivation(password)
    oneTimePassword.current = password
    setStep({ kind: 'approve', begun })
  }
  const restart = () => setStep({ kind: 'password' })
  if (step.kind === 'password')
    return <OneTimePasswordStep status={status} password={oneTimePassword.current} onSubmit={begin} />
  if (step.kind === 'approve')
    return (
      <ApproveStep
        key={step.begun.ticket}
        status={status}
        begun={step.begun}
        onRefresh={() => begin(oneTimePassword.current)}
        onApproved={() => setStep({ kind: 'new', ticket: step.begun.ticket })}
      />
    )
  if (step.kind === 'new')
    return (
      <NewPasswordStep
        status={status}
        ticket={step.ticket}
        onFinished={() => setStep({ kind: 'done' })}
        onTicketLost={restart}
      />
    )
  return <ActivationDone status={status} />
}
