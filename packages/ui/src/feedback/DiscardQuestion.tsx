import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import classes from './Dialog.module.css'

export interface DiscardWords {
  question: string
  keep: string
  discard: string
}

interface DiscardQuestionProps {
  words: DiscardWords
  onKeep(): void
  onDiscard(): void
}

/** The answers to whether what was entered is thrown away: the safe one first, with focus. */
export function DiscardQuestion({ words, onKeep, onDiscard }: DiscardQuestionProps) {
  const safe = useRef<HTMLButtonElement>(null)
  useEffect(() => safe.current?.focus(), [])
  return (
    <div className={classes.answers}>
      <Button ref={safe} onClick={onKeep}>
        {words.keep}
      </Button>
      <Button variant="danger" onClick={onDiscard}>
        {words.discard}
      </Button>
    </div>
  )
}
