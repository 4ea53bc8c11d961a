import type { ComponentProps, ReactNode } from 'react'
import { BigButton } from '../kit/BigButton.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { ObstacleNotice } from './ObstacleNotice.tsx'
import { SignedFields, type SignedForWhom } from './SignedFields.tsx'
import type { Obstacle } from './use-domain.ts'

export interface SigningScreenProps {
  heading: string
  lead: string
  /** On the button that signs. */
  label: string
  who: SignedForWhom
  busy: boolean
  disabled?: boolean
  /** Why the last press came to nothing. */
  obstacle: Obstacle | undefined
  /** The request in words. */
  action: string
  signed: ComponentProps<typeof SignedFields>['signed']
  /** Lets the person sign as somebody else. */
  change?: ReactNode
  /** More facts that a person compares. */
  facts?: ReactNode
  /** Fields to fill in before it can be signed. */
  children?: ReactNode
  onSign(): void
}

/** Something to sign for a domain: what, to whom, and the button that does. */
export function SigningScreen(props: SigningScreenProps) {
  const { heading, lead, label, who, busy, disabled = false, obstacle, action, signed, change, facts } = props
  return (
    <Screen
      heading={heading}
      lead={lead}
      leave={{ icon: 'close', to: '/' }}
      actions={
        <BigButton variant="filled" loading={busy} disabled={disabled} onClick={props.onSign}>
          {label}
        </BigButton>
      }
    >
      {props.children}
      <SignedFields {...who} action={action} signed={signed} change={change}>
        {facts}
      </SignedFields>
      <ObstacleNotice obstacle={obstacle} />
    </Screen>
  )
}
