import type { ReactNode } from 'react'
import type { Device } from '../lib/contract/account.ts'

interface Props {
  device: Device
  /** Text that replaces `lastActive` for the device that displays the list. */
  currentDeviceText: string
  /** When another device was last active. */
  lastActive: ReactNode
}

/**
 * Shows the IP address of a device, and when the device was last active. For the device that displays the list,
 * `currentDeviceText` replaces the time.
 */
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
