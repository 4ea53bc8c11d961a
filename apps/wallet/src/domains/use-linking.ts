import { useEffect, useState } from 'react'
import type { Outcome } from '../api/identity-service.ts'
import { identityHost } from '../api/runtime-config.ts'
import { type Linking, openLinking } from './domain-service.ts'

/** The statement that `kid` would sign at `time` to link this wallet; undefined while it is loading or not wanted. */
export function useLinking(kid: string, time: number, isWanted: boolean): Outcome<Linking> | undefined {
  const [linking, setLinking] = useState<Outcome<Linking>>()
  useEffect(() => {
    if (!isWanted || identityHost() === '') return
    let isLeft = false
    void openLinking(kid, time).then((opened) => {
      if (!isLeft) setLinking(opened)
    })
    return () => {
      isLeft = true
    }
  }, [kid, time, isWanted])
  return linking
}
