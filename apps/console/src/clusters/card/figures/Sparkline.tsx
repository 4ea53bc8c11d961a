import classes from './ClusterFigures.module.css'

interface SparklineProps {
  /** Points of time in ms and value, oldest first. */
  points: [number, number][]
  /** Value at the top. */
  max: number
  width?: number
  height?: number
}

/** A course at a glance; the figure beside it says what matters, so this is decoration. */
export function Sparkline({ points, max, width = 84, height = 26 }: SparklineProps) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || last[0] === first[0]) return null
  const x = (time: number) => ((time - first[0]) / (last[0] - first[0])) * width
  const y = (value: number) => height - 1.5 - Math.min(1, value / max) * (height - 3)
  const line = points
    .map(([time, value], index) => `${index === 0 ? 'M' : 'L'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('')
  return (
    <svg
      className={classes.spark}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
    >
      <path d={`${line}V${height}H0Z`} fill="var(--atoll-accent-line)" opacity=".09" />
      <path
        d={line}
        stroke="var(--atoll-accent-line)"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
