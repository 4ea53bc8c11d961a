import { domainStatuses } from '@atoll/contract/domains'
import { Notice } from '@atoll/ui'
import { Loader } from '@mantine/core'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { identityHost, identityHostName, loadRuntimeConfig, productName } from '../api/runtime-config.ts'
import { listCredentials, payloadOf } from '../domains/credential-store.ts'
import { DomainRecords } from '../domains/DomainRecords.tsx'
import {
  ApplicationForm,
  applicationPayload,
  PresentationForm,
  presentationPayload,
  selfIssuedPayload,
} from '../domains/documents.ts'
import { domainOfBase } from '../domains/domain-name.ts'
import { readForm } from '../domains/domain-service.ts'
import { FirstIdScreen } from '../domains/FirstIdScreen.tsx'
import { ObstacleNotice } from '../domains/ObstacleNotice.tsx'
import { RuleScreen } from '../domains/RuleScreen.tsx'
import { SigningScreen } from '../domains/SigningScreen.tsx'
import { HandOnScreen, TakeOverScreen } from '../domains/TransferScreens.tsx'
import { useDomain } from '../domains/use-domain.ts'
import { useLinking } from '../domains/use-linking.ts'
import { useSigningTime } from '../domains/use-signing-time.ts'
import { requireUnlocked } from '../guard.ts'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { formatDeadline } from '../i18n/times.ts'
import { IdentityChoice } from '../identities/IdentityChoice.tsx'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { FactRow, FactStack } from '../kit/FactRows.tsx'
import { MissingScreen } from '../kit/screens/MissingScreen.tsx'
import { Screen } from '../kit/screens/Screen.tsx'

export const Route = createFileRoute('/domain/$base')({
  beforeLoad: requireUnlocked,
  loader: async () => {
    if (!identityHost()) await loadRuntimeConfig()
    const [application, presentation] = await Promise.all([
      readForm('/get_application_schema/Domain', ApplicationForm),
      readForm('/get_presentation_definition/Domain', PresentationForm),
    ])
    return application.kind === 'ok' && presentation.kind === 'ok'
      ? { application: application.data, presentation: presentation.data }
      : undefined
  },
  pendingComponent: Asking,
  pendingMs: 200,
  component: DomainOfAddress,
})

function Asking() {
  const t = useText()
  return (
    <Screen heading={t('domain.title')} leave={{ icon: 'close', to: '/' }}>
      <Loader size={22} color="var(--atoll-accent-line)" role="status" aria-label={t('domain.title')} />
    </Screen>
  )
}

function DomainOfAddress() {
  const { base } = Route.useParams()
  const { defaultDid } = useKeychain()
  const [chosen, setChosen] = useState<string>()
  const domain = domainOfBase(base)
  const did = chosen ?? defaultDid
  if (domain === undefined || did === null) return <MissingScreen />
  // Another identity starts empty: nothing of the last one's session may carry over.
  return <DomainScreen key={`${domain} ${did}`} domain={domain} did={did} onChoose={setChosen} />
}

interface DomainScreenProps {
  domain: string
  did: string
  onChoose(did: string): void
}

/** A domain's present step: what is signed for it, or what is waited for. */
function DomainScreen({ domain, did, onChoose }: DomainScreenProps) {
  const t = useText()
  const navigate = useNavigate()
  const forms = Route.useLoaderData()
  const { session, detail, offer, busy, obstacle, link, apply, present, handOn, rule, takeName } = useDomain(
    domain,
    did,
  )
  const name =
    useKeychain().identities.find((one) => one.did === did)?.name ?? t('home.noId', { product: productName() })
  const kid = keychain.kidOf(did)
  // Signed times are taken for minutes; a person may read longer.
  const time = useSigningTime()
  const documents = useMemo(() => makeDocuments({ domain, did, kid, forms, time }), [domain, did, kid, forms, time])
  const opened = useLinking(kid, time, !session)
  const host = identityHostName()
  const who = { host, domain, name, did }
  const close = { icon: 'close', to: '/' } as const
  const later = (
    <BigButton variant="subtle" onClick={() => void navigate({ to: '/' })}>
      {t('act.close')}
    </BigButton>
  )

  if (!forms)
    return (
      <Screen heading={t('domain.title')} leave={close} actions={later}>
        <Notice tone="amber" title={t('approve.unreachable', { host })} role="alert" />
      </Screen>
    )
  if (session && offer && documents.application)
    return (
      <TakeOverScreen
        who={who}
        busy={busy}
        obstacle={obstacle}
        transfer={offer}
        application={documents.application}
        onSign={(application) => void apply(application)}
      />
    )
  if (session && detail?.transfer && !detail.transfer.isSigned) {
    const { id, toUserid } = detail.transfer
    return (
      <HandOnScreen
        who={who}
        busy={busy}
        obstacle={obstacle}
        transfer={detail.transfer}
        documents={{ transfer: id, domain, to: toUserid, time: time }}
        onSign={(signed) => void handOn(signed)}
      />
    )
  }
  if (!session || !detail) {
    const linking = opened?.kind === 'ok' ? opened.data : undefined
    return (
      <SigningScreen
        who={who}
        busy={busy}
        heading={t('domain.linkTitle')}
        lead={t('domain.linkLead', { domain })}
        label={t('domain.link')}
        disabled={linking === undefined}
        action={t('domain.linkAction', { product: productName() })}
        signed={
          linking
            ? [
                { title: t('domain.partHeader'), fields: linking.header },
                { title: t('domain.partPayload'), fields: linking.payload },
              ]
            : []
        }
        change={<IdentityChoice chosen={did} onChoose={onChoose} />}
        obstacle={obstacle ?? (opened?.kind === 'ok' ? undefined : opened)}
        onSign={() => linking && void link(linking)}
      />
    )
  }
  const isKnown = domainStatuses.includes(detail.status)
  const heading = isKnown ? t(`domain.${detail.status}`) : detail.status
  const lead = t(isKnown ? `domain.${detail.status}_lead` : 'domain.unknownLead', { domain: detail.shown })
  const step = { heading, lead, who, busy, obstacle }
  if (detail.status === 'WAIT_REQUEST_VC' && documents.application) {
    const { application } = documents
    return (
      <SigningScreen
        {...step}
        label={t('domain.apply')}
        action={t('domain.applyAction')}
        signed={[
          { title: t('domain.partSelfIssued'), fields: selfIssuedPayload(application) },
          { title: t('domain.partApplication'), fields: applicationPayload(application, t('domain.signedAbove')) },
        ]}
        onSign={() => void apply(application)}
      />
    )
  }
  const credential = credentialOf(detail.fullString) ?? heldFor(domain, did)
  if (detail.status === 'WAIT_SUBMIT_VP' && credential !== undefined) {
    const presentation = documents.presentation(credential)
    return (
      <SigningScreen
        {...step}
        label={t('domain.present')}
        action={t('domain.presentAction')}
        signed={[
          { title: t('domain.partPresentation'), fields: presentation },
          { title: t('domain.partCredential'), fields: payloadOf(credential) ?? {} },
        ]}
        facts={
          <FactRow name={t('domain.until')}>
            <span className="num">{formatDeadline(presentation.exp * 1000, currentLocale())}</span>
          </FactRow>
        }
        onSign={() => void present(presentation)}
      />
    )
  }
  const notice = <ObstacleNotice obstacle={obstacle} />
  if (detail.status === 'WAIT_RULE_SET')
    return (
      <RuleScreen heading={heading} lead={lead} busy={busy} obstacle={notice} onRule={(ruled) => void rule(ruled)} />
    )
  if (detail.status === 'BIND')
    return <FirstIdScreen {...step} shown={detail.shown} onTake={(local, time) => void takeName(local, time)} />
  return (
    <Screen heading={heading} lead={lead} leave={close} actions={later}>
      <FactStack>
        <DomainRecords records={detail.records} />
        {detail.terminusName !== undefined && <Notice tone="green" title={detail.terminusName} role="status" />}
        {detail.problem && <Notice tone="amber" title={t('domain.problem', { domain: detail.shown })} role="status" />}
        {detail.status === 'BINDING' && (
          <Loader size={22} color="var(--atoll-accent-line)" role="status" aria-label={t('domain.BINDING')} />
        )}
        {notice}
      </FactStack>
    </Screen>
  )
}

interface Documents {
  domain: string
  did: string
  kid: string
  forms: { application: ApplicationForm; presentation: PresentationForm } | undefined
  /** ms. */
  time: number
}

/** The statement that is shown and then signed. */
function makeDocuments({ domain, did, kid, forms, time }: Documents) {
  const now = Math.floor(time / 1000)
  const ids = { credential: crypto.randomUUID(), application: crypto.randomUUID() }
  const presented = { presentation: crypto.randomUUID(), submission: crypto.randomUUID(), nonce: crypto.randomUUID() }
  return {
    application: forms && { did, domain, form: forms.application, ids, now },
    presentation: (credential: string) =>
      presentationPayload({
        did,
        kid,
        credential,
        form: forms?.presentation ?? { id: '', input_descriptors: [] },
        ids: presented,
        aud: new URL(identityHost()).origin,
        now,
      }),
  }
}

/** Of what the server keeps of the application that was granted. */
function credentialOf(fullString: string | undefined): string | undefined {
  try {
    const { verifiableCredentials } = JSON.parse(fullString ?? '{}') as { verifiableCredentials?: unknown[] }
    const [credential] = verifiableCredentials ?? []
    return typeof credential === 'string' ? credential : undefined
  } catch {
    return undefined
  }
}

function heldFor(domain: string, did: string): string | undefined {
  return listCredentials(localStorage).find((held) => held.domain === domain && held.did === did)?.jws
}
