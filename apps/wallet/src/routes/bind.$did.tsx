import { Notice } from '@atoll/ui'
import { Button, Loader } from '@mantine/core'
import { createFileRoute, useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { bindName, findBoundName, listNameDomains } from '../api/identity-service.ts'
import { consoleDomainsUrl, identityHostName, productName } from '../api/runtime-config.ts'
import { requireUnlocked } from '../guard.ts'
import { recordSignature } from '../history/signature-log.ts'
import { useText } from '../i18n/text.ts'
import classes from '../identities/BindForm.module.css'
import { BindForm } from '../identities/BindForm.tsx'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { DoneScreen } from '../kit/screens/DoneScreen.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { useErrorScreen } from '../kit/screens/use-error-screen.ts'
import { useGoOn } from '../sign/use-go-on.ts'

export const Route = createFileRoute('/bind/$did')({
  beforeLoad: requireUnlocked,
  loader: async ({ params: { did } }) => {
    const domains = await listNameDomains()
    if (domains.kind !== 'ok') return { domains: undefined }
    // An imported identity may have had its name for long.
    const name = await findBoundName(did)
    if (name) keychain.setName(did, name)
    return { domains: domains.data }
  },
  pendingComponent: Asking,
  pendingMs: 200,
  component: BindId,
})

function Asking() {
  const t = useText()
  return (
    <Screen heading={t('bind.title')} lead={t('bind.loading')} leave={{ icon: 'close', to: '/' }}>
      <Loader size={22} color="var(--atoll-accent-line)" role="status" aria-label={t('bind.loading')} />
    </Screen>
  )
}

function BindId() {
  const t = useText()
  const { did } = Route.useParams()
  const { domains } = Route.useLoaderData()
  const navigate = useNavigate()
  const router = useRouter()
  const bound = useKeychain().identities.find((identity) => identity.did === did)?.name
  const [wanted, setWanted] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const showError = useErrorScreen()
  const { isAsked, goOn } = useGoOn()
  if (bound)
    return (
      <DoneScreen
        title={t('bind.doneTitle', { name: bound })}
        lead={t(isAsked ? 'bind.doneLeadAsked' : 'bind.doneLead', { product: productName() })}
        actions={
          isAsked ? (
            <BigButton variant="filled" onClick={goOn}>
              {t('act.continue')}
            </BigButton>
          ) : (
            <>
              <BigButton variant="filled" onClick={() => void navigate({ to: '/scan' })}>
                {t('act.scan')}
              </BigButton>
              <BigButton onClick={goOn}>{t('act.done')}</BigButton>
            </>
          )
        }
      />
    )
  const submit = async () => {
    if (!wanted || busy) return
    setBusy(true)
    setRefusal(undefined)
    const outcome = await bindName(keychain, did, wanted).finally(() => setBusy(false))
    if (outcome.kind === 'refused') return setRefusal(outcome.message || t('bind.refusedSilent'))
    if (outcome.kind === 'unreachable') return setRefusal(t('bind.unreachable'))
    recordSignature(localStorage, { at: Date.now(), kind: 'bound', host: identityHostName(), did })
  }
  return (
    <Screen
      heading={t('bind.title')}
      lead={t('bind.lead', { product: productName() })}
      leave={{ icon: 'close', to: '/' }}
      actions={
        <>
          {domains ? (
            <BigButton variant="filled" type="submit" form="bind" disabled={!wanted && !busy} loading={busy}>
              {wanted ? t('bind.submit', { name: wanted }) : t('bind.submitEmpty')}
            </BigButton>
          ) : (
            <BigButton variant="filled" onClick={() => void router.invalidate()}>
              {t('act.retry')}
            </BigButton>
          )}
          <BigButton variant="subtle" onClick={goOn}>
            {t('act.later')}
          </BigButton>
        </>
      }
    >
      <OwnDomain />
      {domains ? (
        <BindForm
          id="bind"
          domains={domains}
          refusal={refusal}
          onChange={(name) => {
            setWanted(name)
            setRefusal(undefined)
          }}
          onSubmit={() => void submit().catch(showError)}
        />
      ) : (
        <Notice tone="amber" title={t('bind.noDomains')} role="alert" />
      )}
    </Screen>
  )
}

/** Said before: an identity has either an ID here or a domain of its own (protocol). */
function OwnDomain() {
  const t = useText()
  const url = consoleDomainsUrl()
  return (
    <div className={classes.own}>
      <Notice
        title={t('bind.oneOrOther')}
        action={
          url && (
            <Button size="xs" component="a" href={url} target="_blank" rel="noreferrer">
              {t('bind.ownDomain')}
            </Button>
          )
        }
      />
    </div>
  )
}
