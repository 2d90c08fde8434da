/** The tokens and the user that a sign-in or a token refresh returns (security.md, decision 1). */
import type { AuthTokens } from '../../../src/lib/contract/auth.ts'
import type { ActiveLogin } from '../../queries/caller.ts'
import type { AccountRow } from '../../queries/login.ts'
import { toUser } from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS, createAccessToken } from './access-token.ts'
import { findActiveProfile, toCaller } from './acting-profile.ts'
import { isAdultProven } from './proof.ts'

/** The response body of a sign-in, and the refresh token for the cookie. */
export interface SignInResult {
  tokens: AuthTokens
  refreshToken: string
}

interface TokenSubject {
  account: AccountRow
  sid: string
  generation: number
  showsEmail: boolean
}

export function createTokens(deps: Deps, { account, sid, generation, showsEmail }: TokenSubject): AuthTokens {
  return {
    access_token: createAccessToken({ accountId: account.account_id, sid, generation }, deps),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
    user: toUser(account, { showsEmail }),
  }
}

/** Describes the subject of new tokens. The response shows the email address only if an adult uses the device. */
export function buildTokenSubject(activeLogin: ActiveLogin, generation: number): TokenSubject {
  const { account, login } = activeLogin
  const caller = toCaller(activeLogin, findActiveProfile(activeLogin))
  return { account, sid: login.sid, generation, showsEmail: isAdultProven(caller) }
}
