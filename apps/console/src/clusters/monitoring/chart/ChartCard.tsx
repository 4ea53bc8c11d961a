import { ActionIcon } from '@mantine/core'
import { IconChartLine, IconDownload, IconTable } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { fileDay, saveFile } from '../../../kit/files/download-file.ts'
import { useText } from '../../../locales/text.ts'
import classes from './Chart.module.css'
import { Chart, type ChartProps } from './Chart.tsx'
import { ChartTable } from './ChartTable.tsx'
import type { ChartFigure } from './chart.ts'
import { writeCsv } from './chart-csv.ts'
import { countReadings } from './steps.ts'

interface ChartCardProps extends ChartProps {
  figure: ChartFigure
  /** The cluster’s name and the range, for the name of a file. */
  fileName: string
  /** Instead of a line, where there are no two readings to draw one through. */
  emptyText: string
}

/** A figure, its course, and the same as a table and as a file. */
export function ChartCard({ figure, fileName, emptyText, ...chart }: ChartCardProps) {
  const t = useText()
  const title = useId()
  const [isTable, setTable] = useState(false)
  const { lines, stale } = chart
  const { series, grid, csv } = lines
  const readings = Math.max(...series.map(({ values }) => countReadings(values)))
  function download() {
    const columns = series.map(({ label, values }) => ({
      header: t('monitoring.csvHeader', { label, unit: csv.unit }),
      values: values.map((value) => value && csv.figure(value)),
    }))
    const text = writeCsv(t('monitoring.columnTime'), columns, grid)
    // Spreadsheets take a file for UTF-8 only when it says so.
    saveFile(new Blob([`\uFEFF${text}`], { type: 'text/csv' }), `${fileName}-${lines.key}-${fileDay()}.csv`)
  }
  return (
    <section className={classes.card} aria-labelledby={title} data-stale={stale || undefined}>
      <div className={classes.header}>
        <h2 id={title}>{lines.title}</h2>
        {series.length > 1 && (
          <div className={classes.legend} aria-hidden="true">
            {series.map(({ label }, order) => (
              <span key={label}>
                <span className={classes.key} data-order={order} />
                {label}
              </span>
            ))}
          </div>
        )}
        <div className={classes.buttons}>
          <IconButton
            label={t(isTable ? 'monitoring.showChart' : 'monitoring.showTable', { chart: lines.title })}
            icon={isTable ? IconChartLine : IconTable}
            onPress={() => setTable(!isTable)}
          />
          <IconButton label={t('monitoring.download', { chart: lines.title })} icon={IconDownload} onPress={download} />
        </div>
      </div>
      <p className={classes.figure}>
        <b data-missing={figure.now === undefined || undefined}>{figure.now ?? t('detail.none')}</b>
        {figure.of && <span>{figure.of}</span>}
        {figure.more && <span>{figure.more}</span>}
      </p>
      {isTable && readings > 0 ? (
        <ChartTable lines={lines} />
      ) : readings > 1 ? (
        <Chart {...chart} />
      ) : (
        <p className={classes.empty}>{readings === 1 ? t('monitoring.needsTwo') : emptyText}</p>
      )}
    </section>
  )
}

interface IconButtonProps {
  label: string
  icon: typeof IconTable
  onPress: () => void
}

function IconButton({ label, icon: Icon, onPress }: IconButtonProps) {
  return (
    <ActionIcon variant="subtle" size={28} aria-label={label} data-tip={label} onClick={onPress}>
      <Icon size={15} stroke={1.6} aria-hidden="true" />
    </ActionIcon>
  )
}
