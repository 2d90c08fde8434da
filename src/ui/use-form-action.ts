import { useState } from 'react'
import { useAction } from './use-action.ts'

/**
 * Returns the state of a form that sends a request, and `submit`, which removes the previous error and runs an action
 * such as the request. If the action fails, `error` becomes what `describeError` returns: a text, an object with a text
 * for each field, or null if the error is reported elsewhere. While the action runs, further calls are ignored, as in
 * `useAction`.
 */
export function useFormAction<FormError>(
  describeError: (error: unknown) => FormError | null,
  initialError: FormError | null = null,
) {
  const [error, setError] = useState(initialError)
  const [isSubmitting, runAction] = useAction()
  const submit = (action: () => Promise<unknown>): Promise<void> =>
    runAction(async () => {
      setError(null)
      try {
        await action()
      } catch (failure) {
        setError(describeError(failure))
      }
    })
  return { error, setError, isSubmitting, submit }
}
