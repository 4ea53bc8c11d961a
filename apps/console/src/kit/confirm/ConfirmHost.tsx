import { useState } from 'react'
import { useCurrentAccount } from '../../session/account-store.ts'
import { LazyPart } from '../page/LazyPart.tsx'
import { type AskedQuestion, useAskedQuestion } from './confirm.ts'

const load = () => import('./ConfirmDialog.tsx').then((module) => module.ConfirmDialog)

/** Shows what `confirm` asks; gone when the page becomes another account's. */
export function ConfirmHost() {
  const asked = useAskedQuestion()
  const account = useCurrentAccount()
  return asked && asked.userid === account?.userid && <Asked key={asked.id} asked={asked} />
}

function Asked({ asked: { question } }: { asked: AskedQuestion }) {
  const [opened, setOpened] = useState(true)
  const close = () => setOpened(false)
  return <LazyPart load={load} wanted={opened} onFailure={close} props={{ question, opened, onClose: close }} />
}
