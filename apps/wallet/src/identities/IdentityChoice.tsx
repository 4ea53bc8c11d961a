import { Avatar, Dialog } from '@atoll/ui'
import { useState } from 'react'
import { productName } from '../api/runtime-config.ts'
import classes from '../approval/Approval.module.css'
import { useText } from '../i18n/text.ts'
import { useKeychain } from '../keys/use-keychain.ts'
import { Did } from './Did.tsx'

interface IdentityChoiceProps {
  chosen: string
  onChoose(did: string): void
}

/** The signing identity, if the code leaves it open and there is more than one. */
export function IdentityChoice({ chosen, onChoose }: IdentityChoiceProps) {
  const t = useText()
  const { identities } = useKeychain()
  const [open, setOpen] = useState(false)
  if (identities.length < 2) return null
  const choose = (did: string) => {
    onChoose(did)
    setOpen(false)
  }
  return (
    <>
      <button type="button" className={classes.change} onClick={() => setOpen(true)}>
        {t('approve.change')}
      </button>
      <Dialog opened={open} onClose={() => setOpen(false)} title={t('home.title')}>
        <div className={classes.choices}>
          {identities.map(({ did, name }) => (
            <button
              key={did}
              type="button"
              className={classes.choice}
              aria-pressed={did === chosen}
              onClick={() => choose(did)}
            >
              <Avatar id={did} name={name} size={36} />
              <span style={{ minWidth: 0 }}>
                {name ?? t('home.noId', { product: productName() })}
                <Did value={did} />
              </span>
            </button>
          ))}
        </div>
      </Dialog>
    </>
  )
}
