import { TextInput } from '@mantine/core'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { identityHostName, productName } from '../api/runtime-config.ts'
import { joinPayload } from '../domains/documents.ts'
import { joinOrganization } from '../domains/domain-service.ts'
import { ObstacleNotice } from '../domains/ObstacleNotice.tsx'
import { SignedFields } from '../domains/SignedFields.tsx'
import type { Obstacle } from '../domains/use-domain.ts'
import { useSigningTime } from '../domains/use-signing-time.ts'
import { requireUnlocked } from '../guard.ts'
import { recordSignature } from '../history/signature-log.ts'
import { useText } from '../i18n/text.ts'
import { IdentityChoice } from '../identities/IdentityChoice.tsx'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { DoneScreen } from '../kit/screens/DoneScreen.tsx'
import { MissingScreen } from '../kit/screens/MissingScreen.tsx'
import { Screen } from '../kit/screens/Screen.tsx'

export const Route = createFileRoute('/join')({ beforeLoad: requireUnlocked, component: Join })

const fields = ['domain', 'name', 'password'] as const

/** Takes an ID that somebody's organization offers, with the one-time password of the invitation. */
function Join() {
  const t = useText()
  const navigate = useNavigate()
  const { identities, defaultDid } = useKeychain()
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState({ domain: '', name: '', password: '' })
  const now = Math.floor(useSigningTime() / 1000)
  const [busy, setBusy] = useState(false)
  const [obstacle, setObstacle] = useState<Obstacle>()
  const [joined, setJoined] = useState<string>()
  const did = chosen ?? defaultDid
  if (did === null) return <MissingScreen />
  const name = identities.find((one) => one.did === did)?.name
  const payload = joinPayload({ did, kid: keychain.kidOf(did), ...typed, now })
  const isReady = fields.every((field) => typed[field] !== '')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !isReady) return
    setBusy(true)
    setObstacle(undefined)
    try {
      const outcome = await joinOrganization(await keychain.sign(did, payload))
      if (outcome.kind !== 'ok') return setObstacle(outcome)
      keychain.setName(did, outcome.data.terminus_name)
      recordSignature(localStorage, { at: Date.now(), kind: 'joined', host: identityHostName(), did })
      setJoined(outcome.data.terminus_name)
    } catch {
      // The error may come from code that held a key.
      setObstacle({ kind: 'failed' })
    } finally {
      setBusy(false)
    }
  }
  if (joined !== undefined)
    return (
      <DoneScreen
        title={t('join.done', { name: joined })}
        lead={t('join.doneLead', { product: productName() })}
        actions={<BigButton onClick={() => void navigate({ to: '/' })}>{t('act.done')}</BigButton>}
      />
    )
  return (
    <Screen
      heading={t('join.title')}
      lead={t('join.lead')}
      leave={{ icon: 'close', to: '/' }}
      actions={
        <BigButton variant="filled" type="submit" form="join" loading={busy} disabled={!isReady}>
          {t('join.submit')}
        </BigButton>
      }
    >
      <form id="join" onSubmit={(event) => void submit(event)} autoComplete="off">
        {fields.map((field) => (
          <TextInput
            key={field}
            mb="md"
            label={t(`join.${field}`)}
            value={typed[field]}
            onChange={(event) => setTyped({ ...typed, [field]: event.currentTarget.value.trim() })}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={260}
          />
        ))}
      </form>
      <SignedFields
        host={identityHostName()}
        action={t('join.action')}
        domain={typed.domain || '—'}
        name={name ?? t('home.noId', { product: productName() })}
        did={did}
        signed={[{ fields: payload }]}
        change={<IdentityChoice chosen={did} onChoose={setChosen} />}
      />
      <ObstacleNotice obstacle={obstacle} />
    </Screen>
  )
}
