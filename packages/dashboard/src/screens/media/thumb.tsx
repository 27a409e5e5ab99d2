import { useState } from 'preact/hooks';
import { Icon } from '../../icons/icon.tsx';
import { addressOf, type Media, pictureOf } from './pictures.ts';

/**
 * A small picture next to a text that says what it shows.
 * @param id of the picture; null for none
 */
export function Thumb({ id }: { id: string | null }) {
  const media = id === null ? null : pictureOf(id).value;
  return (
    <span class="thumb">
      {media ? <Picture media={media} width={160} alt="" /> : media === null && <Icon name="media" />}
    </span>
  );
}

/** A picture, or its sign if the file does not load. */
export function Picture({ media, width, alt }: { media: Media; width: 160 | 320 | 640; alt: string }) {
  const [failed, setFailed] = useState<string>();
  const address = addressOf(media, width);
  if (failed === address) return <Icon name="media" />;
  return (
    <img
      src={address}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      referrerpolicy="no-referrer"
      onError={() => setFailed(address)}
    />
  );
}
