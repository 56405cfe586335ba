import { counted, text } from '../../language/text.js';
import { Failure, Loading } from '../../parts/states.js';
import { useRead } from '../../session/queries.js';

/** Addresses of the host that differ only in case, and what ignoring case means for them. */
export function CasePairs({ domain }: { readonly domain: string }) {
  return (
    <div role="status">
      <Found domain={domain} />
    </div>
  );
}

function Found({ domain }: { readonly domain: string }) {
  const { data, error, refetch } = useRead('GET /domains/{domain}/case-pairs', { params: { domain } });
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={1} />;
  if (data.pairs.length === 0) return <p className="muted">{text('No two addresses here differ in case only.')}</p>;
  return (
    <>
      <p>
        {data.more
          ? text('Many addresses here differ in case only. These are the first {count} pairs.', { count: data.pairs.length })
          : counted(
              data.pairs.length,
              'One pair of addresses here differs in case only.',
              '{count} pairs of addresses here differ in case only.',
            )}{' '}
        {text('Each address keeps its own visitors. Any other spelling leads to the one in lower case.')}
      </p>
      <ul>
        {data.pairs.map(({ path, lower_case_path: lower }) => (
          <li key={path}>{text('{path} and {lower}', { path, lower })}</li>
        ))}
      </ul>
    </>
  );
}
