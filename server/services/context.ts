/** Types of the first argument of services, and the reference to a title. */
import type { RequestInfo } from '../core/request-info.ts'
import type { TitleRow, TitleType } from '../queries/title.ts'
import type { Caller, ProfileCaller, Viewer } from './auth/caller.ts'
import { findVisibleTitle, parseId } from './catalogue/titles.ts'
import type { Deps } from './deps.ts'

/** Context of services that write to the audit log, which records the origin of the request. */
export interface RequestContext<C extends Caller = Caller> {
  deps: Deps
  caller: C
  request: RequestInfo
}
export interface ViewerContext {
  deps: Deps
  caller: Viewer
}
export interface ProfileContext {
  deps: Deps
  caller: ProfileCaller
}

export interface TitleRef {
  type: TitleType
  /** Id of the title as text, as in the path of a request. */
  mediaId: string
}

/**
 * Returns the title of a reference. Throws 404 when the title does not exist or the caller may not see the
 * title.
 */
export async function requireTitle(
  { deps, caller }: ViewerContext,
  { type, mediaId }: TitleRef,
): Promise<TitleRow> {
  return findVisibleTitle(deps, caller, type, { id: parseId(mediaId) })
}
