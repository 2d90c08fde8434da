import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import * as calls from '../../contract/admin-streams.ts'
import { createReadStore, refetch } from '../query.ts'
import { $dashboardView } from './dashboard-view.ts'
import { runAdminAction } from './run-action.ts'

export const $runningStreams = createReadStore(
  calls.listStreams,
  computed($dashboardView, ({ section }) => (section === 'overview' ? {} : null)),
)

export const refetchStreams = () => refetch(calls.listStreams)

export function stopRunningStream(streamId: string): Promise<void> {
  return runAdminAction('dashboard:streamStopped', async () => {
    await callApi(calls.stopStream, { params: { id: streamId } })
    refetchStreams()
  })
}
