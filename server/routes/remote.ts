import * as remote from '../../src/lib/contract/remote.ts'
import { defineRoute, type Route } from '../http/route.ts'
import {
  claimPairing,
  endPairing,
  openPairing,
  renewPairing,
  sendInputToTelevision,
} from '../services/remote/remote-pairing.ts'

export const remoteRoutes: Route[] = [
  defineRoute(remote.openPairing, ({ deps, caller }) => openPairing({ deps, caller })),
  defineRoute(remote.renewPairing, ({ deps, caller, params, body }) =>
    renewPairing({ deps, caller }, params.pairing, body.closing === true),
  ),
  defineRoute(remote.claimPairing, ({ deps, caller, body }) => claimPairing({ deps, caller }, body.code)),
  defineRoute(remote.sendRemoteCommand, ({ deps, caller, params, body }) =>
    sendInputToTelevision({ deps, caller }, params.pairing, { command: body.command }),
  ),
  defineRoute(remote.sendRemoteText, ({ deps, caller, params, body }) =>
    sendInputToTelevision({ deps, caller }, params.pairing, { text: body.text }),
  ),
  defineRoute(remote.endPairing, ({ deps, caller, params }) => endPairing({ deps, caller }, params.pairing)),
]
