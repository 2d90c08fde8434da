import type { ReactNode } from 'react'
import type { Device } from '../lib/contract/account.ts'

interface Props {
  device: Device
  /** Text that replaces `lastActive` for the device that displays the list. */
  currentDeviceText: string
  /** When another device was last active. */
  lastActive: ReactNode
}

/** Shows when a device was last active, or `currentDeviceText` for the device that displays the list, and its IP address. */
export function DeviceActivity({ device, currentDeviceText, lastActive }: Props) {
  return (
    <>
      {device.current ? <span className="text-good">{currentDeviceText}</span> : lastActive}
      {device.ip && (
        <>
          {' · '}
          <bdi>{device.ip}</bdi>
        </>
      )}
    </>
  )
}
