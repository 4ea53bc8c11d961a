/**
 * Geometry of the motif: an atoll seen on a chart. Everything is polar round the lagoon's middle: a rim, land lying on
 * the rim, and depth lines that follow the rim, bulge round the land and draw together in the passes between.
 */

/** A crescent of land from angle `from` to `to` (degrees, clockwise from east), `width` px at its widest. */
export interface Reef {
  from: number
  to: number
  width: number
}

export interface AtollShape {
  radius: number
  reefs: Reef[]
  /** Shifts the irregularities, so that two atolls differ. */
  seed: number
  /** Distances of the outer depth lines from the rim, px. */
  outer: number[]
  /** Distances of the lines in the lagoon, px. */
  inner: number[]
}

const steps = 120
const radians = (degrees: number) => (degrees * Math.PI) / 180

function rim(shape: AtollShape, angle: number): number {
  const { radius, seed } = shape
  return (
    radius *
    (1 +
      0.05 * Math.sin(2 * angle + seed) +
      0.035 * Math.sin(3 * angle + 2.1 * seed) +
      0.014 * Math.sin(5 * angle + seed))
  )
}

/** Half the land's width at `share` (0..1) of its length: blunt ends, widest a little off the middle. */
function halfWidth(reef: Reef, share: number): number {
  return (reef.width / 2) * Math.sin(Math.PI * share ** 0.9) ** 0.62
}

/** How far land pushes the water lines out at `angle`, px: nearly all along it, fading smoothly into the passes. */
function swell(shape: AtollShape, angle: number): number {
  const degrees = (angle * 180) / Math.PI
  return shape.reefs.reduce((push, reef) => {
    const middle = (reef.from + reef.to) / 2
    const away = Math.abs(((degrees - middle + 900) % 360) - 180) / ((reef.to - reef.from) / 2 + 3)
    return push + (reef.width / 2 + 6) * Math.exp(-0.75 * away ** 6)
  }, 0)
}

type Point = [x: number, y: number]
const polar = (radius: number, angle: number): Point => [radius * Math.cos(angle), radius * Math.sin(angle)]

/** A closed smooth path through `points` (Catmull-Rom as cubic Béziers), one decimal. */
function closedPath(points: Point[]): string {
  const at = (index: number) => points[(index + points.length) % points.length] as Point
  const text = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`
  const [start, next, last] = [at(0), at(1), at(-1)]
  const first = text(start[0] + (next[0] - last[0]) / 6, start[1] + (next[1] - last[1]) / 6)
  let path = `M${text(...start)}`
  for (let index = 0; index < points.length; index++) {
    const [from, end, after] = [at(index), at(index + 1), at(index + 2)]
    const second = text(end[0] - (after[0] - from[0]) / 6, end[1] - (after[1] - from[1]) / 6)
    // `S` mirrors the control point before it, which is what the next one is here.
    path += `${index === 0 ? `C${first} ` : 'S'}${second} ${text(...end)}`
  }
  return `${path}Z`
}

interface Bearing {
  angle: number
  rim: number
  swell: number
}

/** The rim and its swell all round: the same for every line of an atoll. */
function bearings(shape: AtollShape): Bearing[] {
  return Array.from({ length: steps }, (_, index) => {
    const angle = (index / steps) * 2 * Math.PI
    return { angle, rim: rim(shape, angle), swell: swell(shape, angle) }
  })
}

/** The outline of a reef, `margin` px outside its shore. */
export function reefPath(shape: AtollShape, reef: Reef, margin = 0): string {
  const count = 22
  const overrun = (margin / shape.radius) * (180 / Math.PI)
  const side = (sign: 1 | -1): Point[] =>
    Array.from({ length: count + 1 }, (_, index) => {
      const share = index / count
      const angle = radians(reef.from - overrun + (reef.to - reef.from + 2 * overrun) * share)
      const half = halfWidth(reef, share) + margin * Math.sin(Math.PI * share) ** 0.3
      return polar(rim(shape, angle) + sign * half, angle)
    })
  return closedPath([...side(1), ...side(-1).reverse().slice(1, -1)])
}

/** The depth lines, inner ones first; `opacity` fades outward. */
export function depthLines(shape: AtollShape): { path: string; opacity: number }[] {
  const all = bearings(shape)
  const line = (radiusAt: (bearing: Bearing) => number) =>
    closedPath(all.map((bearing) => polar(radiusAt(bearing), bearing.angle)))
  const inner = shape.inner.map((distance, index) => ({
    path: line(({ rim, swell }) => rim - swell * 0.92 ** index - distance),
    opacity: 0.8,
  }))
  const outer = shape.outer.map((distance, index) => ({
    path: line(({ angle, rim, swell }) => {
      const wobble = distance * 0.09 * Math.sin(2 * angle + shape.seed * 1.7 + index * 0.25)
      return rim + swell * 0.84 ** index + distance + wobble
    }),
    opacity: Math.max(0.14, 0.8 - index * (0.66 / shape.outer.length)),
  }))
  return [...inner, ...outer]
}
