import { TextInput } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import classes from './FindField.module.css'

interface FindFieldProps {
  /** Names the words that may be typed. */
  label: string
  /** The words that the list is narrowed by. */
  found: string | undefined
  onFind: (words: string | undefined) => void
}

/** Shorter words are not asked for. */
const leastTyped = 2
/** How long nothing is typed before the list is asked for, ms. */
const pauseMs = 250

/** The field above a list that narrows it by words, once typing pauses. */
export function FindField({ label, found, onFind }: FindFieldProps) {
  const [typed, setTyped] = useState(found ?? '')
  const find = useEffectEvent(() => {
    const words = typed.trim().length >= leastTyped ? typed.trim() : undefined
    if (words !== found) onFind(words)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is asked for when typing pauses
  useEffect(() => {
    const timer = setTimeout(find, pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextInput
      className={classes.field ?? ''}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
