import type { ReplyOf } from '../../lib/contract/endpoint.ts'
import type { listSignInMethods } from '../../lib/contract/identities.ts'

export type SignInMethods = ReplyOf<typeof listSignInMethods>

/** Sign-in methods that are assumed while the server has not replied. */
export const PASSWORD_ONLY_METHODS: SignInMethods = { password: true, providers: [], first_sign_in: false }
