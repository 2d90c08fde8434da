/**
 * Removes cards and progress from the displayed replies once a pending removal has been sent. A sent removal is no
 * longer pending, so the cards and the progress would otherwise reappear until the replies are requested again. Every
 * page loads this file after its first render.
 */
import { isCardRemoved } from './continue-watching.ts'
import { $lastSentWrite } from './pending-writes.ts'
import { isProgressRemovalPending, NO_PROGRESS } from './progress.ts'
import { $continueWatching, $titleDetails, $titleProgress } from './titles.ts'

$lastSentWrite.listen((lastSentWrite) => {
  const sentWrites = lastSentWrite ? [lastSentWrite.write] : []
  // A store that is not displayed is not read here, because reading it would request its data.
  const continueWatching = $continueWatching.lc > 0 ? $continueWatching.get().data : undefined
  const results = continueWatching?.results.filter(({ media }) => !isCardRemoved(media, sentWrites))
  if (continueWatching && results && results.length < continueWatching.results.length)
    $continueWatching.mutate({ ...continueWatching, results })
  const details = $titleProgress.lc > 0 ? $titleDetails.get().data : undefined
  if (details && isProgressRemovalPending(sentWrites, details)) $titleProgress.mutate(NO_PROGRESS)
})
