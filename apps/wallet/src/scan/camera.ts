/** The back camera, or why there is none. */
export type CameraFault = 'insecure' | 'blocked' | 'missing'

export class CameraRefusal extends Error {
  readonly fault: CameraFault
  constructor(fault: CameraFault, cause?: unknown) {
    super(`camera: ${fault}`, { cause })
    this.fault = fault
  }
}

/** @throws CameraRefusal */
export async function openCamera(): Promise<MediaStream> {
  if (!isSecureContext) throw new CameraRefusal('insecure')
  if (!navigator.mediaDevices?.getUserMedia) throw new CameraRefusal('missing')
  try {
    const video = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } }
    return await navigator.mediaDevices.getUserMedia({ audio: false, video })
  } catch (error) {
    const denied = error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'SecurityError')
    throw new CameraRefusal(denied ? 'blocked' : 'missing', error)
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** The camera's lamp, where the browser lets pages switch it. `torch` is newer than the DOM types. */
export function findTorch(stream: MediaStream): ((on: boolean) => Promise<void>) | undefined {
  const [track] = stream.getVideoTracks()
  const capabilities = track?.getCapabilities?.() as (MediaTrackCapabilities & { torch?: boolean }) | undefined
  if (!track || !capabilities?.torch) return undefined
  return (on) => track.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] })
}
