/** The shared submit code of forms. Only the initial state is rendered; the form journeys test the other states. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { useFormAction } from '../../src/ui/use-form-action.ts'

type Form = ReturnType<typeof useFormAction<string>>
interface FormProps {
  initialError: string | null
  describeError: (error: unknown) => string
  onRender: (form: Form) => void
}

function TestForm({ initialError, describeError, onRender }: FormProps) {
  const form = useFormAction(describeError, initialError)
  onRender(form)
  return createElement('p', { 'aria-busy': form.isSubmitting }, form.error)
}

/** Renders a form. Returns its markup, its `submit` function and the errors that it has passed to `describeError`. */
function renderForm(initialError: string | null = null) {
  const describedErrors: unknown[] = []
  const forms: Form[] = []
  const describeError = (error: unknown) => {
    describedErrors.push(error)
    return 'failed'
  }
  const onRender = (form: Form) => forms.push(form)
  const markup = renderToStaticMarkup(createElement(TestForm, { initialError, describeError, onRender }))
  return { markup, describedErrors, submit: (forms[0] as Form).submit }
}

it('a form that was not submitted shows only its initial error', () => {
  expect(renderForm().markup).toBe('<p aria-busy="false"></p>')
  expect(renderForm('expired').markup).toBe('<p aria-busy="false">expired</p>')
})

it('submitting a form again while its request is running sends no second request', async () => {
  const { submit, describedErrors } = renderForm()
  const { promise, resolve } = Promise.withResolvers<void>()
  let requestCount = 0
  const sendRequest = () => {
    requestCount += 1
    return promise
  }
  const firstSubmitPromise = submit(sendRequest)
  await submit(sendRequest)
  expect(requestCount).toBe(1)
  resolve()
  await firstSubmitPromise
  await submit(sendRequest)
  expect(requestCount).toBe(2)
  expect(describedErrors).toEqual([])
})

it('the error of a failed request is converted to a message once, and the form can be submitted again', async () => {
  const { submit, describedErrors } = renderForm()
  const error = new Error('refused')
  await submit(() => Promise.reject(error))
  expect(describedErrors).toEqual([error])
  let isSent = false
  await submit(async () => {
    isSent = true
  })
  expect(isSent).toBe(true)
  expect(describedErrors).toEqual([error])
})
