import { correction, generate, mode } from 'lean-qr'
import { useMemo } from 'react'
import { codePath } from './code-path.ts'

interface CodePictureProps {
  value: string
  className: string | undefined
  label: string
  hidden: boolean
}

/**
 * Any of the eight masks can be read, and weighing all of them takes a slow processor a third of a second; this one,
 * diagonal stripes, leaves no large even areas.
 */
const mask = 3
const encoder = new TextEncoder()

/** The code as one path, dark on white. */
export function CodePicture({ value, className, label, hidden }: CodePictureProps) {
  const { size, path } = useMemo(() => {
    // As bytes: looking for the shortest mixture of modes takes longest of all, and base64url comes out no smaller by
    // it.
    const bytes = mode.bytes(encoder.encode(value))
    const code = generate(bytes, { mask, minCorrectionLevel: correction.L, maxCorrectionLevel: correction.L })
    return { size: code.size, path: codePath(code) }
  }, [value])
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={348}
      height={348}
      shapeRendering="crispEdges"
      className={className}
      role="img"
      aria-label={label}
      aria-hidden={hidden || undefined}
    >
      <path fill="#FFFFFF" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#1C1A17" d={path} />
    </svg>
  )
}
