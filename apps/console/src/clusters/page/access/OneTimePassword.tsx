import { Button } from '@mantine/core'
import { useState } from 'react'
import { CopyValue } from '../../../kit/page/CopyValue.tsx'
import { useText } from '../../../locales/text.ts'
import classes from './OneTimePassword.module.css'

/** Hidden until asked for: a screen may be seen by others. Copying needs no showing. */
export function OneTimePassword({ password }: { password: string }) {
  const t = useText()
  const [shown, setShown] = useState(false)
  return (
    <div className={classes.secret}>
      <code className={classes.password} aria-hidden={!shown}>
        {shown ? password : '••••••••'}
      </code>
      <Button size="compact-xs" variant="subtle" aria-expanded={shown} onClick={() => setShown(!shown)}>
        {shown ? t('access.hide') : t('access.show')}
      </Button>
      <CopyValue value={password} what={t('dialog.activatePassword')} />
    </div>
  )
}
