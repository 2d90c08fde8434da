/** Translated names of job kinds and job messages, which the server sends as codes. */
import type { Job } from '../../../lib/contract/admin.ts'
import { t, translateDynamicKey } from '../../../lib/i18n/t.ts'

export const formatJobName = (kind: string) => translateDynamicKey(`dashboard:job_${kind}`, kind)

/**
 * Returns the translated reason why a job failed. A message without a translation is returned unchanged. If the job has
 * no message, the text says that no reason was given.
 */
export const formatFailureCode = ({ message }: Pick<Job, 'message'>) =>
  message === null ? t('dashboard:noReason') : translateDynamicKey(`dashboard:message_${message}`, message)
