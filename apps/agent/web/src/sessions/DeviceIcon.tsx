import type { Device } from '@atoll/contract/accounts'
import { lookUp } from '@atoll/contract/wire'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconTerminal2 } from '@tabler/icons-react'
import classes from './Sessions.module.css'

const icons = {
  computer: IconDeviceDesktop,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  program: IconTerminal2,
} satisfies Record<Device['kind'], unknown>

interface DeviceIconProps {
  kind: Device['kind'] | undefined
}

export function DeviceIcon({ kind = 'computer' }: DeviceIconProps) {
  const Icon = lookUp(icons, kind, IconTerminal2)
  return <Icon size={20} stroke={1.6} aria-hidden="true" className={classes.icon} />
}
