import type { ReactNode } from 'react'
import type { Device } from '../lib/contract/account.ts'

interface Props {
  device: Device
  /** Text that replaces `lastActive` for the device that displays the list. */
  currentText: string
  /** When another device was last active. */
  lastActive: ReactNode
}

/** Shows when a device was last active, or `currentText` for the device that displays the list, and its IP address. */
export function DeviceActivity({ device, currentText, lastActive }: Props) {
  return (
    <>
      {device.current ? <span className="text-good">{currentText}</span> : lastActive}
      {device.ip && (
        <>
          {' · '}
          <bdi>{device.ip}</bdi>
        </>
      )}
    </>
  )
}
