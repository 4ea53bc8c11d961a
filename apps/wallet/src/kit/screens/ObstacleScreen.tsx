import { useText } from '../../i18n/text.ts'
import type { Obstacle } from '../../obstacle.ts'
import { ChartScreen } from './ChartScreen.tsx'

interface ObstacleScreenProps {
  obstacle: Obstacle
}

/** This browser, or this address, cannot hold keys: says why and what helps. */
export function ObstacleScreen({ obstacle }: ObstacleScreenProps) {
  const t = useText()
  return <ChartScreen title={t(`obstacle.${obstacle}Title`)} lead={t(`obstacle.${obstacle}Body`)} />
}
