import classes from './LogView.module.css'
import { parseLogLine } from './log-line.ts'

interface LogLineProps {
  line: string
}

/** One line of a log: time, source, message. */
export function LogLine({ line }: LogLineProps) {
  const { time, source, message, tone } = parseLogLine(line)
  return (
    <div className={classes.line}>
      {time && <span className={classes.time}>{time}</span>}
      {source && <span className={classes.source}>{source}</span>}
      <span className={classes.message} data-tone={tone}>
        {message}
      </span>
    </div>
  )
}
