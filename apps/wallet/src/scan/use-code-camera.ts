import { type RefObject, useEffect, useState } from 'react'
import { type CameraFault, CameraRefusal, closeCamera, findTorch, openCamera } from './camera.ts'
import { findCode } from './code-reader.ts'

export type CameraState =
  | { kind: 'starting' }
  | { kind: 'running'; torch: ((on: boolean) => Promise<void>) | undefined }
  /** `failed`: the reader did not load. */
  | { kind: 'unavailable'; why: CameraFault | 'failed' }

/** Pause between scans, ms: a code is found within a blink, and the phone stays cool. */
const pauseMs = 120

/** Runs the camera into `video` and calls `onCode` once, with the first code seen. Stops when the page leaves. */
export function useCodeCamera(video: RefObject<HTMLVideoElement | null>, onCode: (text: string) => void): CameraState {
  const [state, setState] = useState<CameraState>({ kind: 'starting' })
  useEffect(() => {
    let stream: MediaStream | undefined
    let stopped = false
    const run = async () => {
      const opened = await openCamera()
      stream = opened
      const element = video.current
      if (stopped || !element) return closeCamera(opened)
      element.srcObject = opened
      await element.play()
      setState({ kind: 'running', torch: findTorch(opened) })
      while (!stopped) {
        const code = element.videoWidth > 0 ? await findCode(element) : undefined
        if (stopped) return
        if (code) return onCode(code)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    run().catch((error: unknown) => {
      if (!stopped) setState({ kind: 'unavailable', why: error instanceof CameraRefusal ? error.fault : 'failed' })
    })
    return () => {
      stopped = true
      if (stream) closeCamera(stream)
    }
  }, [video, onCode])
  return state
}
