import { memo, useEffect, useState } from 'react'
import { whenIdle } from '../feedback/when-idle.ts'
import classes from './Contours.module.css'
import { type AtollShape, depthLines, reefPath } from './contour-geometry.ts'

const lagoon: AtollShape = {
  radius: 322,
  seed: 0.6,
  reefs: [
    { from: -142, to: -46, width: 62 },
    { from: -30, to: 32, width: 56 },
    { from: 58, to: 112, width: 60 },
    { from: 124, to: 206, width: 74 },
  ],
  outer: [24, 44, 70, 104, 150, 210, 285, 375],
  inner: [16, 40],
}

const islet: AtollShape = {
  radius: 176,
  seed: 2.4,
  reefs: [
    { from: -168, to: -106, width: 34 },
    { from: -70, to: -22, width: 38 },
    { from: -8, to: 62, width: 34 },
    { from: 86, to: 160, width: 38 },
  ],
  outer: [16, 30, 50, 80, 118, 165, 222],
  inner: [12, 28],
}

const shapes = { lagoon, islet }

/** Soundings, px from the middle: a chart has figures. */
const soundings = {
  lagoon: [
    [-360, -262, 12],
    [298, -130, 31],
    [280, 300, 26],
    [-352, 330, 44],
    [-430, -306, 58],
    [222, -352, 18],
  ],
  islet: [
    [-118, -206, 22],
    [0, 4, 3],
    [206, 156, 38],
    [-262, 240, 64],
  ],
} satisfies Record<keyof typeof shapes, [x: number, y: number, depth: number][]>

/** How long the page may be busy before they are drawn all the same, ms. */
const patienceMs = 300

interface ContoursProps {
  /** `lagoon` holds the sign-in code in its middle; `islet` stands beside an empty page's text. */
  shape?: keyof typeof shapes
  className?: string | undefined
}

/**
 * The one motif: depth lines round an atoll, 1 px, fading outward. Only on sign-in, empty states and not-found; never
 * behind body text or data. Decoration: hidden from assistive technology. Its middle is the middle of its box.
 * Drawn once, however often the page around it counts seconds, and after all else: a slow processor has better to do
 * before the page can be used.
 */
export const Contours = memo(function Contours({ shape = 'lagoon', className }: ContoursProps) {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => whenIdle(() => setDrawn(true), patienceMs), [])
  return (
    <svg className={className} viewBox="-800 -800 1600 1600" width="1600" height="1600" fill="none" aria-hidden="true">
      {isDrawn && <Chart shape={shape} />}
    </svg>
  )
})

function Chart({ shape }: { shape: keyof typeof shapes }) {
  const geometry = shapes[shape]
  return (
    <>
      {depthLines(geometry).map(({ path, opacity }) => (
        <path key={path.slice(0, 24)} d={path} className={classes.depth} opacity={opacity} />
      ))}
      {geometry.reefs.map((reef) => (
        <g key={reef.from}>
          <path d={reefPath(geometry, reef, 11)} className={classes.shoal} />
          <path d={reefPath(geometry, reef)} className={classes.land} />
        </g>
      ))}
      {soundings[shape].map(([x, y, depth]) => (
        <text key={`${x} ${y}`} x={x} y={y} className={classes.sounding}>
          {depth}
        </text>
      ))}
    </>
  )
}
