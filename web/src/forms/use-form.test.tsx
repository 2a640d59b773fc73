import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { NetworkFailure, Refusal, type MessageKey } from '@/api/failure'
import { failureText, messageText } from '@/i18n/message-texts'
import { err, ok } from '@/lib/result'
import { gate } from '@/testing/gate'
import { renderUi } from '@/testing/render-ui'
import { ErrorSummary } from '@/ui/error-summary'
import { TextField } from '@/ui/text-field'
import { readFields } from './read-fields'
import { useForm } from './use-form'

interface Values {
  readonly full_name: string
  readonly email: string
}

const required = (text: string, key: MessageKey) => (text === '' ? err(key) : ok(text))

const read = ({ full_name, email }: Values) =>
  readFields({
    full_name: required(full_name, 'full_name_required'),
    email: required(email, 'email_invalid'),
  })

interface PageProps {
  readonly submit: (request: Values) => Promise<string>
  readonly hasSummary?: boolean
  readonly errorText?: (key: MessageKey, name: keyof Values, values: Values) => string | null
}

const textOfKey = () => null

function Page({ submit, hasSummary = false, errorText = textOfKey }: PageProps) {
  const [answer, setAnswer] = useState('')
  const form = useForm({
    name: 'test',
    initial: () => ({ full_name: '', email: '' }),
    read,
    submit,
    // Called with the values at the time of the answer.
    onSent: (text) => setAnswer(`${text} ${form.values.full_name}`),
    errorText,
    hasSummary,
  })
  return (
    <form noValidate onSubmit={form.submit}>
      {hasSummary && <ErrorSummary errors={form.summary} attempt={form.attempt} />}
      <TextField {...form.text('full_name')} label="Ім’я" onBlur={() => form.check('full_name')} />
      <TextField {...form.text('email')} label="Пошта" />
      <button type="submit">Надіслати</button>
      <output aria-label="стан">{form.busy ? 'зайнято' : answer}</output>
      <output aria-label="збій">{form.failure === null ? '' : failureText(form.failure)}</output>
    </form>
  )
}

const field = (label: string) => screen.getByLabelText(label)
const send = () => screen.getByRole('button', { name: 'Надіслати' })

function refusal(key: MessageKey, errors: Record<string, MessageKey[]> = {}) {
  return new Refusal(422, key, errors, null, {})
}

test('what is wrong is shown at its fields and not sent; the first wrong field takes the focus', async () => {
  const submit = vi.fn<PageProps['submit']>()
  const user = await renderUi(<Page submit={submit} />)
  await user.type(field('Ім’я'), 'Олена')
  await user.click(send())
  expect(field('Пошта')).toHaveFocus()
  expect(field('Пошта')).toBeInvalid()
  expect(field('Ім’я')).toBeValid()
  await user.type(field('Пошта'), 'o')
  expect(field('Пошта')).toBeValid()
  expect(submit).not.toHaveBeenCalled()
})

test('a form with a summary gives it the focus, at every try', async () => {
  const user = await renderUi(<Page submit={vi.fn<PageProps['submit']>()} hasSummary />)
  await user.click(send())
  expect(screen.getByRole('alert')).toHaveFocus()
  expect(screen.getAllByRole('link')).toHaveLength(2)
  await user.type(field('Ім’я'), 'Олена')
  expect(screen.getAllByRole('link')).toHaveLength(1)
  await user.click(send())
  expect(screen.getByRole('alert')).toHaveFocus()
})

const textOfEmail: PageProps['errorText'] = (_key, name, { full_name }) =>
  name === 'email' ? `Немає пошти: ${full_name}` : null

test('a field may have its own text of an error; the others have that of the key', async () => {
  const user = await renderUi(
    <Page submit={vi.fn<PageProps['submit']>()} hasSummary errorText={textOfEmail} />,
  )
  await user.click(send())
  expect(field('Пошта')).toHaveAccessibleDescription(/Немає пошти:/u)
  expect(field('Ім’я')).toHaveAccessibleDescription(messageText('full_name_required'))
  await user.type(field('Ім’я'), 'Олена')
  expect(screen.getByRole('alert')).toHaveTextContent('Немає пошти: Олена')
})

test('a request that is on its way is not sent again; its answer comes to the form as it is then', async () => {
  const slow = gate()
  const submit = vi.fn<PageProps['submit']>(async () => {
    await slow.passed
    return 'готово'
  })
  const user = await renderUi(<Page submit={submit} />)
  await user.type(field('Ім’я'), 'Олена')
  await user.type(field('Пошта'), 'o{Enter}{Enter}')
  await user.click(send())
  expect(field('стан')).toHaveTextContent('зайнято')
  await user.type(field('Ім’я'), ' К')
  slow.open()
  await waitFor(() => expect(field('стан')).toHaveTextContent('готово Олена К'))
  expect(submit.mock.calls).toEqual([
    [
      { full_name: 'Олена', email: 'o' },
      { full_name: 'Олена', email: 'o' },
    ],
  ])
})

async function sendRefused(failure: unknown) {
  const submit = vi.fn<PageProps['submit']>().mockRejectedValueOnce(failure).mockResolvedValue('готово')
  const user = await renderUi(<Page submit={submit} />)
  await user.type(field('Ім’я'), 'Олена')
  await user.type(field('Пошта'), 'o{Enter}')
  return user
}

test('what the server refuses stands at its field until that changes, whatever the rules of the form say', async () => {
  const user = await sendRefused(
    refusal('validation_failed', { email: ['email_invalid'], sum: ['amount_invalid'] }),
  )
  await waitFor(() => expect(field('Пошта')).toBeInvalid())
  await waitFor(() => expect(field('Пошта')).toHaveFocus())
  expect(field('збій')).toBeEmptyDOMElement()
  await user.type(field('Ім’я'), ' К')
  expect(field('Пошта')).toBeInvalid()
  await user.type(field('Пошта'), 'l')
  expect(field('Пошта')).toBeValid()
})

test.each([new NetworkFailure(), refusal('too_many_requests')])(
  'what belongs to no field is the failure of the form until the next try: %s',
  async (failure) => {
    const user = await sendRefused(failure)
    await waitFor(() => expect(field('збій')).toHaveTextContent(failureText(failure)))
    expect(field('стан')).toBeEmptyDOMElement()
    await user.click(send())
    await waitFor(() => expect(field('стан')).toHaveTextContent('готово'))
    expect(field('збій')).toBeEmptyDOMElement()
  },
)

test('a field that was left empty is not told of', async () => {
  const user = await renderUi(<Page submit={vi.fn<PageProps['submit']>()} />)
  await user.click(field('Ім’я'))
  await user.tab()
  expect(field('Ім’я')).toBeValid()
})
