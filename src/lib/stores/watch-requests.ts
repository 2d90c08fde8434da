/** Watch requests: titles that a child may ask for, and requests that parents have to answer. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/watch-requests.ts'
import { perProfile } from './per-profile.ts'
import { $profileId, $profiles } from './profile.ts'
import { createReadStore, type ReadState, refetch } from './query.ts'
import { getFailureKey, showFailure, showToast } from './toast.ts'

/** Minimum number of characters in a searched name. */
const MIN_TITLE_NAME_LENGTH = 2

const $askableTitleName = perProfile<string>(() => '')
/** Titles that the child may ask for, and whose name equals the searched name. */
export const $askableTitles = createReadStore(
  calls.listAskableTitles,
  computed([$profileId, $askableTitleName], (profileId, titleName) =>
    profileId && titleName.length >= MIN_TITLE_NAME_LENGTH
      ? { params: { id: profileId }, query: { name: titleName } }
      : null,
  ),
)

export const setAskableTitleName = (titleName: string) => $askableTitleName.set(titleName.trim())

/**
 * Returns the number of titles with this name that the child may ask for; null until the server has replied. Returns 0
 * after an error, and for a name that is too short to search for.
 */
export function countAskableTitles(
  { data, error }: ReadState<ReplyOf<typeof calls.listAskableTitles>>,
  titleName: string,
): number | null {
  if (data) return data.results.length
  return error || titleName.trim().length < MIN_TITLE_NAME_LENGTH ? 0 : null
}

/**
 * Calls `onDecrease` when fewer titles with the searched name remain that the child may ask for, for example because a
 * parent has allowed one. A change of the searched name does not count. Returns a function that stops listening.
 */
export function listenToAskableTitleDecrease(onDecrease: () => void): () => void {
  let lastAskableTitleCount = { titleName: '', count: 0 }
  return $askableTitles.subscribe((askableState) => {
    const titleName = $askableTitleName.get()
    const count = countAskableTitles(askableState, titleName)
    if (count === null) return
    const hasDecreased = titleName === lastAskableTitleCount.titleName && count < lastAskableTitleCount.count
    lastAskableTitleCount = { titleName, count }
    if (hasDecreased) onDecrease()
  })
}

/** Sends a watch request for a title to the parents. */
export async function askToWatch(title: calls.AskableTitle, reason: string): Promise<void> {
  const profileId = $profileId.get()
  if (!profileId) return
  try {
    const { type, id: media_id } = title
    await callApi(calls.createWatchRequest, {
      params: { id: profileId },
      body: { name: title.title, type, media_id, ...(reason && { reason }) },
    })
    refetch(calls.listAskableTitles)
    showToast('requests:sent')
  } catch (error) {
    const isLimitReached = (error as { status?: number }).status === 429
    showToast(isLimitReached ? 'requests:tooMany' : getFailureKey(error), { kind: 'bad' })
  }
}

export const $watchRequests = createReadStore(
  calls.listWatchRequests,
  computed($profileId, (profileId) => (profileId ? {} : null)),
)

export async function answerRequest(requestId: string, answer: calls.WatchRequestAnswer): Promise<void> {
  try {
    const reply = await callApi(calls.answerWatchRequest, { params: { requestId }, body: { answer } })
    const previousReply = $watchRequests.get().data
    if (previousReply)
      $watchRequests.mutate({
        ...previousReply,
        results: previousReply.results.map((request) =>
          request.request_id === requestId ? { ...request, ...reply } : request,
        ),
      })
    showToast(answer === 'no' ? 'requests:refused' : 'requests:allowed')
  } catch (error) {
    showFailure(error)
  } finally {
    refetch(calls.listWatchRequests)
  }
}

/**
 * True when a PIN opens the main profile on this device: the PIN of the main profile or, if it has none, the exit PIN.
 * With this PIN, a parent can prove to be present while another profile acts.
 */
export const $hasParentPin = computed(
  $profiles,
  (profiles) => profiles?.some((profile) => profile.main && profile.locked) ?? false,
)

/**
 * Answers a watch request on the device of a child, with a PIN that opens the main profile (`$hasParentPin`). Throws
 * `ApiError`.
 */
export async function answerRequestWithPin(
  requestId: string,
  answer: calls.WatchRequestAnswer,
  pin: string,
): Promise<void> {
  await callApi(calls.answerWatchRequest, { params: { requestId }, body: { answer, pin } })
  refetch(calls.listAskableTitles)
}
