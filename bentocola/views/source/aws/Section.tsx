// A named part of the view, with a heading. No landmark: two views in a page have parts of the same names.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Heading } from "../shared/root";

interface Props {
  title: string;
  name?: string; // of the resource
  small?: ComponentChildren;
  attributes?: Record<string, unknown>;
  children: ComponentChildren;
}

export function Section({ title, name, small, attributes, children }: Props) {
  const id = useId();
  return (
    <div class="part" role="group" aria-labelledby={id} {...attributes}>
      <div class="title">
        <Heading below={1} id={id}>
          {title}
          {name && (
            <>
              {" "}
              <code translate={false}>{name}</code>
            </>
          )}
        </Heading>
        {small && <small>{small}</small>}
      </div>
      {children}
    </div>
  );
}
