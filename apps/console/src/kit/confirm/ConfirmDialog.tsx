import type { Call } from '@atoll/contract/wire'
import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { queryClient } from '../../data/query-client.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import classes from '../dialog/Dialog.module.css'
import { DialogFooter } from '../dialog/DialogFooter.tsx'
import { PageDialog } from '../dialog/PageDialog.tsx'
import type { Question, RunCall } from './confirm.ts'
import { ArmedButton, TypedNameField } from './TypedName.tsx'

interface ConfirmDialogProps {
  question: Question
  opened: boolean
  onClose: () => void
}

/** The losses, the name to be typed, and the safe answer first. */
export function ConfirmDialog({ question, opened, onClose }: ConfirmDialogProps) {
  const { run } = question
  if (typeof run !== 'function') {
    return (
      <QueryClientProvider client={queryClient}>
        <AskCall question={question} run={run} opened={opened} onClose={onClose} />
      </QueryClientProvider>
    )
  }
  const act = () => {
    onClose()
    void run()
  }
  return <Ask question={question} opened={opened} onKeep={onClose} onAct={act} isPending={false} error={null} />
}

function AskCall({ question, run, opened, onClose }: ConfirmDialogProps & { run: RunCall<Call> }) {
  const change = useCallMutation(run.call)
  const [again, setAgain] = useState<string>()
  const keep = () => {
    change.giveUp()
    onClose()
  }
  const act = (choice: object) =>
    change.mutate(
      { ...run.body, ...choice },
      {
        onSuccess(answer) {
          const words = run.again?.(answer)
          setAgain(words)
          if (words !== undefined) return
          onClose()
          run.onSuccess?.(answer)
        },
      },
    )
  return (
    <Ask
      question={question}
      opened={opened}
      onKeep={keep}
      onAct={act}
      isPending={change.isPending}
      error={change.error}
      again={again}
    />
  )
}

interface AskProps {
  question: Question
  opened: boolean
  onKeep: () => void
  onAct: (choice: object) => void
  isPending: boolean
  error: Error | null
  /** Why it is asked again. */
  again?: string | undefined
}

function Ask({ question, opened, onKeep, onAct, isPending, error, again }: AskProps) {
  const { title, lost, typed, choice, Quote, keep, act, danger } = question
  const [quoted, setQuoted] = useState<object>()
  const [text, setText] = useState('')
  const [value, setValue] = useState(choice?.initial ?? false)
  const matches = typed === undefined || text.trim() === typed
  function submit(event: FormEvent) {
    event.preventDefault()
    if (matches && !isPending) onAct({ ...(choice && { [choice.field]: value }), ...quoted })
  }
  return (
    <PageDialog opened={opened} onClose={onKeep} title={title}>
      <form onSubmit={submit}>
        {lost.map((paragraph) => (
          <p key={paragraph} className={classes.text}>
            {paragraph}
          </p>
        ))}
        {Quote && <Quote onQuote={setQuoted} />}
        {choice && <choice.Field value={value} onChange={setValue} />}
        {typed !== undefined && (
          <TypedNameField name={typed} value={text} onChange={(event) => setText(event.currentTarget.value)} />
        )}
        {again !== undefined && (
          <div className={classes.failure}>
            <Notice tone="amber" role="alert" title={again} />
          </div>
        )}
        <DialogFooter error={error}>
          <Button data-autofocus={typed === undefined || undefined} onClick={onKeep}>
            {keep}
          </Button>
          <ArmedButton armed={matches} danger={danger ?? false} loading={isPending}>
            {act}
          </ArmedButton>
        </DialogFooter>
      </form>
    </PageDialog>
  )
}
